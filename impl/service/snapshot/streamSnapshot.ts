import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { type SnapshotSources, saveSnapshot } from './saveSnapshot.ts'

/**
 * A snapshot as a response body, with back-pressure. Writing ends when the reader disconnects; a
 * failure truncates the body, which is then not a complete snapshot.
 *
 * @throws like `saveSnapshot`, when it fails before anything is written
 */
export async function streamSnapshot(sources: SnapshotSources): Promise<ReadableStream> {
  const output = new PassThrough()
  const saving = saveSnapshot(sources, output)
  saving.catch(() => {})
  output.on('error', () => {})
  await Promise.race([once(output, 'readable'), saving])
  return Readable.toWeb(output) as ReadableStream
}
