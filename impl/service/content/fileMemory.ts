/** An LRU cache of files by content id. */
export type FileMemory = {
  get(cid: string): Uint8Array | undefined
  /** Does nothing for a file that is too large. */
  keep(cid: string, file: Uint8Array): void
}

/**
 * A content id never refers to other bytes, so a checked file need not be read again: every
 * operator reads policies, schemas and the like for every task.
 */
export function createFileMemory(limits: {
  /** Bytes of all files together. */
  readonly totalBytes: number
  /** Bytes of one file. Components are larger, and cached in compiled form elsewhere. */
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
      // Moved to the end: the first entry of the map is the least recently used.
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
