// @ts-check
import { setFlagsFromString } from 'node:v8'

/** Commands that serve until they are stopped, with a database or oracles. */
export const lasting = ['serve', 'indexer', 'operator']

/**
 * Lets V8 optimize only functions that stay hot, in this process and its threads. By default thousands are
 * optimized while a stack starts: of the embedded database (WebAssembly), half of the CPU time of a short command;
 * of the rest, a tenth of that of a start. The numbers are bytes that a function has executed.
 *
 * @param {string} [command] what runs. WebAssembly is optimized after about a millisecond of a function in
 *   commands that last, and after about a tenth of a second in others: a seventh less CPU time for the start of
 *   a stack, a quarter more for each query of the first 20,000.
 */
export function optimizeLate(command = '') {
  setFlagsFromString(`--wasm-tiering-budget=${lasting.includes(command) ? 36e6 : 2e9}`)
  // From Node 22 on the flag is another, which counts calls; an unknown flag is reported on stderr.
  if (Number.parseInt(process.versions.v8, 10) < 12)
    setFlagsFromString('--interrupt-budget=1000000')
}
