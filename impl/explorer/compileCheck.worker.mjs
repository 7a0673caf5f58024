// A thread that compiles policies: started by compileCheck.ts, ended by it when one runs on.
import { register } from 'tsx/esm/api'

register()
await import('./compileCheckThread.ts')
