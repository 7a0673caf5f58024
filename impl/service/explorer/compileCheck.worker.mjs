// A thread that compiles policies. compileCheck.ts starts it, and ends it when a policy takes too
// long.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('impl/service/explorer/compileCheckThread.ts')
