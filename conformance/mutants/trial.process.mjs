// A process that tries mutants: forked by inProcesses.ts.
import { importCompiled } from '../../impl/compile/importCompiled.mjs'

await importCompiled('conformance/mutants/trial.process.ts')
