// @ts-check
/**
 * Generated code copies byte lists that a guest passes to its host out of the guest's memory before
 * the host function is called. A list of lists may refer to the same bytes a hundred thousand
 * times, in any interface that a component declares, and no thread limit includes buffers.
 * Therefore the copies are counted where they are made.
 */

/** Limit of one run: far above the size of fifty requests of the largest size. */
export const mostCopied = 256 * 1024 * 1024

/** Thrown when a run exceeds the limit. */
export const copyLimit = Symbol('copy limit')

let copied = 0
const { slice } = ArrayBuffer.prototype

/** @this {ArrayBuffer} @param {number} from @param {number} [to] */
function countedSlice(from, to = this.byteLength) {
  copied += Math.max(0, Math.min(to, this.byteLength) - from)
  if (copied > mostCopied) throw copyLimit
  return slice.call(this, from, to)
}

/**
 * Counts the copies that code of a realm makes.
 * @param {ArrayBuffer} prototype `ArrayBuffer.prototype` of the realm
 */
export function countCopies(prototype) {
  Object.defineProperty(prototype, 'slice', { value: countedSlice, writable: false })
}

/** Resets the count for the next run. */
export function forgetCopies() {
  copied = 0
}
