// @ts-check
/**
 * Turns components into core modules and the code that joins them, in a thread of its own: a large
 * one is a second of pure computation. Plain JavaScript, so that it starts without a loader.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { ownTimeFile } from '../scheduling/threadTime.mjs'
import { shownName, strangeName } from './codeNames.mjs'
import { setMemoryCeiling } from './memoryCeiling.mjs'

setMemoryCeiling(workerData.memoryPages)
const { componentWit, transpile } = await import('@bytecodealliance/jco')

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
// Linking code grows with what is linked: this is ten times that of a JavaScript engine.
const mostWit = 1024 * 1024
const mostModules = 256
const mostCodeBytes = 4 * 1024 * 1024

port.on('message', async (/** @type {Uint8Array} */ component) => {
  try {
    const wit = await componentWit(component)
    if (wit.length > mostWit) throw new Error('its interface is too large')
    const { files } = await transpile(component, {
      name: 'oracle',
      instantiation: 'sync',
      nodejsCompat: false,
      wasiShim: false,
    })
    const reason = refusal(files)
    if (reason !== undefined) {
      port.postMessage({ refused: reason })
      return
    }
    const own = Object.entries(files).map(
      ([name, bytes]) => /** @type {const} */ ([name, new Uint8Array(bytes)]),
    )
    // Handed over, not copied: the other side serves everybody.
    port.postMessage(
      { wit, files: Object.fromEntries(own) },
      own.map(([, { buffer }]) => buffer),
    )
  } catch (error) {
    const failure = /** @type {{ payload?: unknown, message?: unknown }} */ (error)
    const text = String(failure?.payload ?? failure?.message ?? error)
    // The reader itself broke down: at its ceiling of memory, or over something it did not expect.
    const broke = failure instanceof WebAssembly.RuntimeError || /^wasm trap/.test(text)
    port.postMessage({ error: broke ? `reading it broke off: ${text}` : text })
  }
})

port.postMessage({ timeFile: ownTimeFile() ?? '' })

/**
 * Why what the tool has made may not be run, if so. The tool itself did its work, so it may go on.
 * @param {Record<string, Uint8Array>} files
 */
function refusal(files) {
  const modules = Object.entries(files).filter(([file]) => file.endsWith('.wasm'))
  if (modules.length > mostModules) return `it has more than ${mostModules} core modules`
  const code = Object.entries(files).find(([file]) => file.endsWith('.js'))?.[1].length ?? 0
  if (code > mostCodeBytes) return 'the code that joins its modules is too large'
  for (const [, bytes] of modules) {
    const strange = strangeName(new WebAssembly.Module(new Uint8Array(bytes)))
    if (strange === undefined) continue
    return `the name ${shownName(strange)} in a core module may not stand in code`
  }
  return undefined
}
