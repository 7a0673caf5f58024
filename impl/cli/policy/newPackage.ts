import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { CommandError } from '../commandDefinition.ts'

/** Contents by path below a new folder. */
export type NewFiles = Map<string, string | Uint8Array>

/** @throws CommandError for a folder with files */
export async function refuseTaken(output: string): Promise<void> {
  const found = await readdir(output).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CommandError(`${output} cannot be read: ${error.code}`, {
      hint: 'Choose another folder with --output.',
      cause: error,
    })
  })
  if (found.length > 0)
    throw new CommandError(`${output} is not empty`, {
      hint: 'Nothing was written. Choose another folder with --output.',
    })
}

/** Writes the files of a new package, and prints their names. */
export async function writePackage(output: string, files: NewFiles): Promise<void> {
  for (const [name, content] of files) {
    const path = join(output, name)
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(path, content, { exclusive: true })
    console.log(`wrote ${path}`)
  }
}
