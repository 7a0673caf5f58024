// A thread that holds an embedded database: started and ended by threadedDatabase.ts.
import { importCompiled } from '../compile/importCompiled.mjs'

await importCompiled('impl/store/storeThread.ts')
