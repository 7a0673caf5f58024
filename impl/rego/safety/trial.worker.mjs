// A thread has no loader for TypeScript of its own.
import { parentPort } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

register()
const { run } = await import('./trial.ts')
parentPort.on('message', (trial) => parentPort.postMessage(run(trial)))
parentPort.postMessage('ready')
