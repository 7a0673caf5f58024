import { accessSync, constants, existsSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What may be on this machine; a parameter for tests. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The home directory of the user's entry in the user database; throws where there is none. */
  readonly home: () => string
  readonly cwd: string
  readonly temporary: string
  /** The top of this repository; undefined where the code was installed from npm. */
  readonly clone: string | undefined
}

export type UserDirectories = {
  /** What can be computed again. */
  readonly cache: string
  /** What a user stored. */
  readonly data: string
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

const here = (): Surroundings => ({
  env: process.env,
  home: homedir,
  cwd: process.cwd(),
  temporary: tmpdir(),
  clone: existsSync(join(root, 'package-lock.json')) ? root : undefined,
})

/**
 * Where to write what outlives a process: `.cache` in a clone. An installed package writes nothing beside
 * itself, since its folder may be read-only or shared; it uses the XDG base directories. Without a
 * writable home, data is kept below `.svc` of the working directory, and caches in the temporary
 * directory of the user. The directories exist, with access for their owner only.
 */
export function findUserDirectories(surroundings: Surroundings): UserDirectories {
  const { env, cwd, temporary, clone } = surroundings
  if (clone !== undefined) return { cache: join(clone, '.cache'), data: join(clone, '.cache') }
  const home = homeOf(surroundings)
  const own = (variable: string, below: string): string[] => {
    const set = env[variable]
    // A relative path is invalid, says the XDG specification.
    if (set !== undefined && isAbsolute(set)) return [join(set, 'polgate')]
    return home === undefined ? [] : [join(home, below, 'polgate')]
  }
  const cache = firstWritable(own('XDG_CACHE_HOME', '.cache'))
  const data = firstWritable([...own('XDG_DATA_HOME', '.local/share'), join(cwd, '.svc')])
  return {
    cache: cache ?? ownTemporary(temporary),
    data: data ?? ownTemporary(temporary),
  }
}

/**
 * Where to write what describes this machine now, such as which stacks run: `$XDG_STATE_HOME`, also in
 * a clone, whose `.cache` is the default there.
 */
export function findStateDirectory(surroundings: Surroundings): string {
  const { env, temporary, clone } = surroundings
  const set = env.XDG_STATE_HOME
  const home = homeOf(surroundings)
  const places = [
    ...(set !== undefined && isAbsolute(set) ? [join(set, 'polgate')] : []),
    ...(clone === undefined ? [] : [join(clone, '.cache')]),
    ...(home === undefined ? [] : [join(home, '.local/state/polgate')]),
  ]
  return firstWritable(places) ?? ownTemporary(temporary)
}

/** That of this process, by its environment now. */
export const stateDirectory = (): string => findStateDirectory(here())

let found: UserDirectories | undefined

/** Those of this process, found once. */
export function userDirectories(): UserDirectories {
  found ??= findUserDirectories(here())
  return found
}

function homeOf({ env, home }: Surroundings): string | undefined {
  if (env.HOME !== undefined && isAbsolute(env.HOME)) return env.HOME
  try {
    const entry = home()
    return isAbsolute(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

const firstWritable = (directories: readonly string[]): string | undefined =>
  directories.find(isWritable)

function isWritable(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * A directory with a known name, so that the next process finds it; only if nobody else could have put
 * something there. Code from caches is executed.
 */
function ownTemporary(temporary: string): string {
  const user = process.getuid?.()
  const directory = join(temporary, `polgate-${user ?? 'user'}`)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(directory)
    const isOwn = user === undefined || (uid === user && (mode & 0o022) === 0)
    if (isOwn && lstatSync(directory).isDirectory()) return directory
  } catch {
    // Somebody else's file has that name.
  }
  return mkdtempSync(join(temporary, 'polgate-'))
}
