// A thread that holds an embedded database: started and ended by threadedDatabase.ts.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('impl/service/store/storeThread.ts')
