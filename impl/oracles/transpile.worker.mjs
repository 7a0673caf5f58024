// @ts-check
/**
 * Turns components into core modules and the code that joins them, in a thread of its own: a large
 * one is a second of pure computation. Plain JavaScript, so that it starts without a loader.
 */
import { parentPort } from 'node:worker_threads'
import { componentWit, transpile } from '@bytecodealliance/jco'
import { shownName, strangeName } from './codeNames.mjs'

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
    assertPlainNames(files)
    port.postMessage({ wit, files })
  } catch (error) {
    const failure = /** @type {{ payload?: unknown, message?: unknown }} */ (error)
    port.postMessage({ error: String(failure?.payload ?? failure?.message ?? error) })
  }
})

/** @param {Record<string, Uint8Array>} files */
function assertPlainNames(files) {
  for (const [file, bytes] of Object.entries(files)) {
    if (!file.endsWith('.wasm')) continue
    const strange = strangeName(new WebAssembly.Module(new Uint8Array(bytes)))
    if (strange === undefined) continue
    throw new Error(`the name ${shownName(strange)} in a core module may not stand in code`)
  }
}
