// A thread that asks checks: started by checkThread.ts, ended by it when the run is over.
import { register } from 'tsx/esm/api'

register()
await import('./thread.ts')
