// A thread that evaluates policies: started by regoEvaluator.ts, ended by it when one runs on.
import { register } from 'tsx/esm/api'

register()
await import('./evaluatorThread.ts')
