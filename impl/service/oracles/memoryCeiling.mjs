// @ts-check
/**
 * Limits the memory of WebAssembly modules that this thread compiles. The transpiler is such a
 * module: it keeps parsed parts of a component in linear memory, which no thread limit includes and
 * which a small component can make grow to gigabytes. Must be set before the transpiler is loaded.
 */

const memorySection = 5
const hasMax = 0x01
const headBytes = 8

/** @param {number} pages of 64 KiB, for each memory */
export function setMemoryCeiling(pages) {
  const compile = WebAssembly.compile
  WebAssembly.compile = (source) =>
    compile(new Uint8Array(withMaximum(new Uint8Array(/** @type {Buffer} */ (source)), pages)))
}

/** @param {Uint8Array} bytes a core module with at most one memory @param {number} pages */
function withMaximum(bytes, pages) {
  let at = headBytes
  while (at < bytes.length) {
    const id = bytes[at]
    const [size, start] = readLeb(bytes, at + 1)
    if (id === memorySection) {
      const [, flagsAt] = readLeb(bytes, start)
      const [min, afterMin] = readLeb(bytes, flagsAt + 1)
      const [max] = (bytes[flagsAt] ?? 0) & hasMax ? readLeb(bytes, afterMin) : [pages]
      const body = [1, hasMax, ...leb(min), ...leb(Math.min(max, pages))]
      const section = [memorySection, ...leb(body.length), ...body]
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(section),
        bytes.subarray(start + size),
      ])
    }
    at = start + size
  }
  return bytes
}

/** The value, and the position after it. @param {Uint8Array} bytes @param {number} at */
function readLeb(bytes, at) {
  let value = 0
  for (let place = at, scale = 1; ; place += 1, scale *= 128) {
    const byte = bytes[place] ?? 0
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return /** @type {const} */ ([value, place + 1])
  }
}

/** @param {number} value */
function leb(value) {
  const bytes = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) | 0x80)
  }
}
