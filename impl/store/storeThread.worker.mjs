// A thread that holds an embedded database: started and ended by threadedDatabase.ts.
import { register } from 'tsx/esm/api'

register()
await import('./storeThread.ts')
