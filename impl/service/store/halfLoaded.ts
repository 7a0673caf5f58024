import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile, syncDirectory } from 'polgate-lib/files/replaceFile.ts'
import { StoreError } from './storeError.ts'

/** In the directory of a database while the files of a snapshot replace it. */
const markOf = (directory: string): string => join(directory, 'snapshot.loading')

function earlierData(directory: string): readonly string[] | undefined {
  try {
    return readFileSync(markOf(directory), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Runs `work`, which moves several files; if the process ends during it, `refuseHalfLoaded` refuses the
 * directory until another snapshot is loaded.
 *
 * @param aside where `work` moves earlier data
 */
export async function asOneLoad(
  directory: string,
  aside: string,
  work: () => Promise<void>,
): Promise<void> {
  const lines = [...(earlierData(directory) ?? []), aside]
  await replaceFile(markOf(directory), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
  await work()
  await rm(markOf(directory))
  await syncDirectory(directory)
}

/**
 * @param directory of a database
 * @throws StoreError `unavailable` where only some files of a snapshot are in their places
 */
export function refuseHalfLoaded(directory: string): void {
  const aside = earlierData(directory)
  if (aside === undefined) return
  throw new StoreError(`Loading a snapshot into ${directory} was interrupted`, {
    code: 'unavailable',
    hint: `Load it again with \`polgate snapshot load FILE --replace\`. Earlier data, if any, is in ${aside.join(', ')}.`,
  })
}
