// A thread that compiles policies: started by compileCheck.ts, ended by it when one runs on.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('impl/service/explorer/compileCheckThread.ts')
