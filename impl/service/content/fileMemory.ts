/** Files by content id that stay in memory, the ones used last, up to a bound. */
export type FileMemory = {
  get(cid: string): Uint8Array | undefined
  /** Nothing happens for a file that is too large. */
  keep(cid: string, file: Uint8Array): void
}

/**
 * A content id never names other bytes, so what was checked once need not be read again: policies,
 * schemas and the like are wanted by every operator for every task.
 */
export function createFileMemory(limits: {
  /** Of all files together. */
  readonly totalBytes: number
  /** Of one; components are larger, and kept compiled elsewhere. */
  readonly fileBytes: number
}): FileMemory {
  const files = new Map<string, Uint8Array>()
  let size = 0

  const drop = (cid: string) => {
    size -= files.get(cid)?.length ?? 0
    files.delete(cid)
  }

  return {
    get(cid) {
      const file = files.get(cid)
      if (file === undefined) return undefined
      // Put last again: the first of the map is the one that was not used for longest.
      files.delete(cid)
      files.set(cid, file)
      return file
    },
    keep(cid, file) {
      if (file.length > limits.fileBytes) return
      drop(cid)
      files.set(cid, file)
      size += file.length
      for (const oldest of files.keys()) {
        if (size <= limits.totalBytes) return
        drop(oldest)
      }
    },
  }
}
