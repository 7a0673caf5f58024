// A process that tries mutants: forked by inProcesses.ts.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('conformance/self-test/mutants/trial.process.ts')
