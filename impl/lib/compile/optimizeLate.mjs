// @ts-check
import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8 optimize only functions that stay hot, in this process and its threads. By default thousands are
 * optimized while a stack starts: of the embedded database (WebAssembly), half of the CPU time of a short command;
 * of the rest, a tenth of that of a start. What stays hot reaches these numbers of executed bytes within
 * milliseconds (the defaults of Node 20 are a twentieth and a fifteenth).
 */
export function optimizeLate() {
  setFlagsFromString('--wasm-tiering-budget=36000000')
  // From Node 22 on the flag is another, which counts calls; an unknown flag is reported on stderr.
  if (Number.parseInt(process.versions.v8, 10) < 12)
    setFlagsFromString('--interrupt-budget=1000000')
}
