// The thread of an embedded database; threadedDatabase.ts starts and ends it.
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

await importCompiled('impl/service/store/storeThread.ts')
