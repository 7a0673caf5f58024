import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { type SnapshotSources, saveSnapshot } from './saveSnapshot.ts'

/**
 * A snapshot as the body of an answer. Whoever reads slowly is waited for, and whoever goes away ends
 * it; a failure on the way cuts it off, and what was read is no whole snapshot then.
 *
 * @throws as `saveSnapshot`, where it fails before anything is written
 */
export async function streamSnapshot(sources: SnapshotSources): Promise<ReadableStream> {
  const output = new PassThrough()
  const saving = saveSnapshot(sources, output)
  saving.catch(() => {})
  output.on('error', () => {})
  await Promise.race([once(output, 'readable'), saving])
  return Readable.toWeb(output) as ReadableStream
}
