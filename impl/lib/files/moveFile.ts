import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from './replaceFile.ts'

/**
 * Renames a file or directory so that the change survives a crash of the machine. What a new file
 * contains must have been synced before.
 */
export async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncDirectory(dirname(to))
  if (dirname(from) !== dirname(to)) await syncDirectory(dirname(from))
}
