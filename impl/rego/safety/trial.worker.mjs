// A thread that puts hostile policies through the engine: started by trials.ts.
import { parentPort } from 'node:worker_threads'
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

const { run } = await importCompiled('impl/rego/safety/trial.ts')
parentPort.on('message', (trial) => parentPort.postMessage(run(trial)))
parentPort.postMessage('ready')
