import { opendir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentStorageError } from './localBlocks.ts'

/** Not the name of a block. A process that died while it was there leaves an empty file. */
const probeName = '.readiness'

export type ContentHealth = {
  /** Why no content can be read; a directory that does not exist yet has none. */
  readonly unreadable: string | undefined
  /** Why fetched content cannot be kept; it is fetched again for each use. */
  readonly unwritable: string | undefined
}

/** Whether the directory of a content store can be read and written, by doing both. */
export async function contentHealth(directory: string): Promise<ContentHealth> {
  try {
    await (await opendir(directory)).close()
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const unreadable = isMissing ? undefined : contentStorageError('read', error).message
    return { unreadable, unwritable: undefined }
  }
  const probe = join(directory, `${probeName}-${process.pid}`)
  try {
    await writeFile(probe, 'x')
    return { unreadable: undefined, unwritable: undefined }
  } catch (error) {
    return { unreadable: undefined, unwritable: contentStorageError('written', error).message }
  } finally {
    await rm(probe, { force: true }).catch(() => {})
  }
}
