// A thread that runs checks: started by checkThread.ts, ended by it when the run is over.
import { workerData } from 'node:worker_threads'
import { importCompiled, importSource } from 'polgate-lib/compile/importCompiled.mjs'

// Checks of somebody else's are TypeScript that no bundle has.
const load = workerData.catalogue === undefined ? importCompiled : importSource
await load('conformance/runner/thread.ts')
