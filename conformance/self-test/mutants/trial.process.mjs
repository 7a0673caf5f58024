// A process that tries mutants: forked by inProcesses.ts.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'
import { optimizeLate } from 'polgate-lib/compile/optimizeLate.mjs'

optimizeLate()
await importCompiled('conformance/self-test/mutants/trial.process.ts')
