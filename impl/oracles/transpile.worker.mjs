// @ts-check
/**
 * Turns a component into core modules and the code that joins them, in a thread of its own: it is
 * a second of pure computation. Plain JavaScript, so that it starts without a loader.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { componentWit, transpile } from '@bytecodealliance/jco'

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

try {
  const component = /** @type {Uint8Array} */ (workerData.component)
  const wit = await componentWit(component)
  const { files } = await transpile(component, {
    name: 'oracle',
    instantiation: 'sync',
    nodejsCompat: false,
    wasiShim: false,
  })
  port.postMessage({ wit, files })
} catch (error) {
  const payload = /** @type {{ payload?: unknown, message?: unknown }} */ (error)
  port.postMessage({ error: String(payload?.payload ?? payload?.message ?? error) })
}
