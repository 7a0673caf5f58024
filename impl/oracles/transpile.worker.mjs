// @ts-check
/**
 * Turns components into core modules and the code that joins them, in a thread of its own: a large
 * one is a second of pure computation. Plain JavaScript, so that it starts without a loader.
 */
import { parentPort } from 'node:worker_threads'
import { componentWit, transpile } from '@bytecodealliance/jco'

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

port.on('message', async (/** @type {Uint8Array} */ component) => {
  try {
    const wit = await componentWit(component)
    const { files } = await transpile(component, {
      name: 'oracle',
      instantiation: 'sync',
      nodejsCompat: false,
      wasiShim: false,
    })
    port.postMessage({ wit, files })
  } catch (error) {
    const failure = /** @type {{ payload?: unknown, message?: unknown }} */ (error)
    port.postMessage({ error: String(failure?.payload ?? failure?.message ?? error) })
  }
})
