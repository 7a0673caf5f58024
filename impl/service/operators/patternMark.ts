/**
 * Memory in which a thread says which pattern it tests: a pattern that does not end cannot be asked for its name.
 */
export const maxMarkedBytes = 1_024
const lengthBytes = 4

export const createPatternMark = (): SharedArrayBuffer =>
  new SharedArrayBuffer(lengthBytes + maxMarkedBytes)

/** @param pattern cut after 1,024 bytes; undefined when none is tested */
export function markPattern(mark: SharedArrayBuffer, pattern: string | undefined): void {
  const text = Buffer.from((pattern ?? '').slice(0, maxMarkedBytes))
  new Uint8Array(mark, lengthBytes).set(text.subarray(0, maxMarkedBytes))
  Atomics.store(new Int32Array(mark, 0, 1), 0, Math.min(text.length, maxMarkedBytes))
}

/** The pattern that is tested; undefined for none. */
export function markedPattern(mark: SharedArrayBuffer): string | undefined {
  const length = Atomics.load(new Int32Array(mark, 0, 1), 0)
  if (length === 0) return undefined
  return Buffer.from(new Uint8Array(mark, lengthBytes, length)).toString()
}
