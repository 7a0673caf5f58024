// A thread that compiles policies: started by compileCheck.ts, ended by it when one runs on.
import { importCompiled } from '../compile/importCompiled.mjs'

await importCompiled('impl/explorer/compileCheckThread.ts')
