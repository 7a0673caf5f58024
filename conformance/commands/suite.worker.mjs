// A thread that runs the checks of the suite: started by runner/checkThread.ts, which ends it.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('conformance/commands/suiteThread.ts')
