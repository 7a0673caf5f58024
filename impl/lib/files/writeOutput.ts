import { realpath, stat, writeFile } from 'node:fs/promises'
import { type FileContent, replaceFile } from './replaceFile.ts'

/**
 * Writes a file that a user names, atomically. A symbolic link stays and its target is replaced; what is
 * no regular file, such as `/dev/stdout` or a pipe, is written to.
 *
 * @throws system errors
 */
export async function writeOutput(path: string, content: FileContent): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (found === undefined) await replaceFile(path, content)
  else if (found.isFile())
    await replaceFile(await realpath(path), content, { mode: found.mode & 0o7777 })
  else await writeFile(path, content)
}
