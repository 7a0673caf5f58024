// @ts-check
/**
 * Lists of bytes that a guest hands to its host are copied out of its memory, by generated code, before
 * the host is asked anything. A list of lists may name the same bytes a hundred thousand times, in any
 * interface that a component declares, and no limit of a thread counts buffers: so they are counted
 * where they are made.
 */

/** Of one run: far above what fifty requests of the largest size hold. */
export const mostCopied = 256 * 1024 * 1024

/** Thrown where a run has more copied. */
export const copyLimit = Symbol('copy limit')

let copied = 0
const { slice } = ArrayBuffer.prototype

/** @this {ArrayBuffer} @param {number} from @param {number} [to] */
function countedSlice(from, to = this.byteLength) {
  copied += Math.max(0, Math.min(to, this.byteLength) - from)
  if (copied > mostCopied) throw copyLimit
  return slice.call(this, from, to)
}

/** Counts the copies that code of a realm makes. @param {ArrayBuffer} prototype `ArrayBuffer.prototype` of the realm */
export function countCopies(prototype) {
  Object.defineProperty(prototype, 'slice', { value: countedSlice, writable: false })
}

/** Another run begins. */
export function forgetCopies() {
  copied = 0
}
