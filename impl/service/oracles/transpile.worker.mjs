// @ts-check
/**
 * Transpiles components into core modules and the code that links them, in a separate thread: a
 * large component takes a second of CPU time. Plain JavaScript, so that it starts without a loader.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { ownTimeFile } from '../scheduling/threadTime.mjs'
import { shownName, strangeName } from './codeNames.mjs'
import { setMemoryCeiling } from './memoryCeiling.mjs'

setMemoryCeiling(workerData.memoryPages)
// As in runner.worker.mjs: the transpiler is generated code as well, of half a megabyte, which the
// engine parses again for each TypeError about this function that Node 20 does not have.
const wasm = /** @type {{ promising?: (run: unknown) => unknown }} */ (WebAssembly)
wasm.promising ??= (run) => run
const { transpileBytes } = await import('@bytecodealliance/jco-transpile')
const { componentWit } = await import('@bytecodealliance/jco-transpile/wasm-tools')

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
// The code grows with what it links: this is ten times that of a JavaScript engine.
const maxWit = 1024 * 1024
const maxModules = 256
const maxCodeBytes = 4 * 1024 * 1024

port.on('message', async (/** @type {Uint8Array} */ component) => {
  try {
    const wit = await componentWit(component)
    if (wit.length > maxWit) throw new Error('its interface is too large')
    const { files } = await transpileBytes(component, {
      name: 'oracle',
      instantiation: 'sync',
      nodejsCompat: false,
      wasiShim: false,
      noComponentErrorWrapping: false,
    })
    const reason = refusal(files)
    if (reason !== undefined) {
      port.postMessage({ refused: reason })
      return
    }
    const own = Object.entries(files).map(
      ([name, bytes]) => /** @type {const} */ ([name, new Uint8Array(bytes)]),
    )
    // Transferred, not copied: the receiver is the main thread.
    port.postMessage(
      { wit, files: Object.fromEntries(own) },
      own.map(([, { buffer }]) => buffer),
    )
  } catch (error) {
    const failure = /** @type {{ payload?: unknown, message?: unknown }} */ (error)
    const text = String(failure?.payload ?? failure?.message ?? error)
    // The transpiler itself failed: at its memory limit, or on unexpected input.
    const broke = failure instanceof WebAssembly.RuntimeError || /^wasm trap/.test(text)
    port.postMessage({ error: broke ? `the transpiler failed: ${text}` : text })
  }
})

port.postMessage({ timeFile: ownTimeFile() ?? '' })

/**
 * Why the transpiled files must not be run, if so. The transpiler itself has not failed and stays
 * usable.
 * @param {Record<string, Uint8Array>} files
 */
function refusal(files) {
  const modules = Object.entries(files).filter(([file]) => file.endsWith('.wasm'))
  if (modules.length > maxModules) return `it has more than ${maxModules} core modules`
  const code = Object.entries(files).find(([file]) => file.endsWith('.js'))?.[1].length ?? 0
  if (code > maxCodeBytes) return 'the code that joins its modules is too large'
  for (const [, bytes] of modules) {
    const strange = strangeName(new WebAssembly.Module(new Uint8Array(bytes)))
    if (strange === undefined) continue
    return `the name ${shownName(strange)} in a core module is not allowed`
  }
  return undefined
}
