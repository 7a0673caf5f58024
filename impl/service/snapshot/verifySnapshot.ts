import { blockHash, keyOf, parseContentId } from '../content/contentId.ts'
import type { Ending, Manifest } from './manifest.ts'
import { readContainer } from './readContainer.ts'
import { damaged, SnapshotError } from './snapshotError.ts'

export type VerifiedSnapshot = {
  readonly manifest: Manifest
  readonly rows: Ending['rows']
  readonly leftOut: Ending['leftOut']
  readonly contents: number
  /** Decompressed size of all parts. */
  readonly bytes: number
}

/**
 * Reads a snapshot to its end and verifies that every part is present and unchanged.
 *
 * @throws SnapshotError `damaged`, `version`, `storage`
 */
export async function verifySnapshot(
  file: string,
  signal?: AbortSignal,
): Promise<VerifiedSnapshot> {
  const reader = await readContainer(file).catch((error: unknown) => {
    throw named(error, file)
  })
  try {
    let contents = 0
    let bytes = 0
    for await (const part of reader.parts) {
      signal?.throwIfAborted()
      bytes += part.bytes.length
      if (!part.name.startsWith('content/')) continue
      refuseOtherContent(part.name.slice('content/'.length), part.bytes)
      contents += 1
    }
    const { rows, leftOut } = reader.ending()
    return { manifest: reader.manifest, rows, leftOut, contents, bytes }
  } catch (error) {
    throw named(error, file)
  } finally {
    reader.close()
  }
}

/** A reader of parts does not know their file. */
function named(error: unknown, file: string): unknown {
  if (!(error instanceof SnapshotError) || error.code !== 'damaged') return error
  if (error.message.includes(file)) return error
  const { code, hint, message } = error
  return new SnapshotError(`${file}: ${message}`, { code, hint, cause: error })
}

/** @throws SnapshotError `damaged` when the bytes do not match the id */
export function refuseOtherContent(cid: string, bytes: Uint8Array): void {
  try {
    const id = parseContentId(cid)
    const hash = blockHash(id)
    hash.add(bytes)
    if (keyOf(id) === cid && hash.matches()) return
  } catch (cause) {
    throw damaged(`${cid} is not a content id`, cause)
  }
  throw damaged(`the content ${cid} does not match its id`)
}
