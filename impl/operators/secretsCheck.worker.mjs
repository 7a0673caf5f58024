// A thread that validates secrets: started by secretsCheck.ts, ended by it when a schema runs on.
import { register } from 'tsx/esm/api'

register()
await import('./secretsCheckThread.ts')
