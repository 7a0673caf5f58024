// A thread that checks and tests policies of packages: started by codeThreads.ts, ended by it when one runs on.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('impl/cli/package/codeThread.ts')
