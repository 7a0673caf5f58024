import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { userDirectories } from 'polgate-lib/files/userDirectories.ts'
import { buildId } from 'polgate-local/chainImage.ts'
import type { PackageWarning } from '../package/packageWarning.ts'

/** What tests that passed have found, and the digests of the files that they read, by path. */
type Passed = {
  readonly build: string
  readonly files: Readonly<Record<string, string>>
  readonly warnings: readonly PackageWarning[]
}

const digestOf = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

const recordOf = (directory: string): string =>
  join(userDirectories().cache, 'tested', `${digestOf(directory)}.json`)

/** @throws the error of the system for a file that cannot be read */
export async function digestsOf(files: readonly string[]): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const path of [...new Set(files)].sort()) digests[path] = digestOf(await readFile(path))
  return digests
}

/**
 * The warnings of the tests of a package, if they passed with the same contents and the same build of this program;
 * undefined otherwise, also if the record cannot be read.
 *
 * @param files of the package, absolute
 */
export async function passedBefore(
  directory: string,
  files: readonly string[],
  build = buildId,
): Promise<readonly PackageWarning[] | undefined> {
  if (build === undefined) return undefined
  try {
    const passed = JSON.parse(await readFile(recordOf(directory), 'utf8')) as Passed
    const now = await digestsOf([...files, ...Object.keys(passed.files)])
    const isSame = JSON.stringify(now) === JSON.stringify(passed.files)
    return passed.build === build && isSame ? passed.warnings : undefined
  } catch {
    return undefined
  }
}

/**
 * Records that the tests passed, unless a file changed while they ran.
 *
 * @param before the digests of the package's files before the run
 */
export async function recordPassed(
  directory: string,
  before: Readonly<Record<string, string>>,
  {
    files,
    warnings,
  }: { readonly files: readonly string[]; readonly warnings: readonly PackageWarning[] },
  build = buildId,
): Promise<void> {
  if (build === undefined) return
  const after = await digestsOf(files)
  if (Object.entries(before).some(([path, digest]) => after[path] !== digest)) return
  const path = recordOf(directory)
  await mkdir(dirname(path), { recursive: true })
  await replaceFile(path, JSON.stringify({ build, files: after, warnings } satisfies Passed))
}
