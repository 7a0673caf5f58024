import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  findStateDirectory,
  findUserDirectories,
  type Surroundings,
  userDirectories,
} from './userDirectories.ts'

let place: string
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'svc-user-directories-')))
  for (const name of ['home', 'project', 'temporary']) mkdirSync(join(place, name))
})
afterEach(() => rmSync(place, { recursive: true }))

const surroundings = (changes: Partial<Surroundings> = {}): Surroundings => ({
  env: { HOME: join(place, 'home') },
  home: () => {
    throw new Error('no entry for this user')
  },
  cwd: join(place, 'project'),
  temporary: join(place, 'temporary'),
  clone: undefined,
  ...changes,
})

/** A file where a directory would have to be: not writable for root either. */
function blocked(name: string): string {
  writeFileSync(join(place, name), '')
  return join(place, name)
}

test('a clone keeps everything in its .cache', () => {
  const clone = join(place, 'clone')
  expect(findUserDirectories(surroundings({ clone }))).toEqual({
    cache: join(clone, '.cache'),
    data: join(clone, '.cache'),
  })
  expect(userDirectories().cache).toMatch(/\/\.cache$/)
})

test('an installed package uses the home directory, with access for its owner only', () => {
  const { cache, data } = findUserDirectories(surroundings())
  expect(cache).toBe(join(place, 'home/.cache/polgate'))
  expect(data).toBe(join(place, 'home/.local/share/polgate'))
  expect(statSync(cache).mode & 0o777).toBe(0o700)
})

test('XDG variables come first; a relative one is ignored', () => {
  const env = { HOME: join(place, 'home'), XDG_CACHE_HOME: join(place, 'c'), XDG_DATA_HOME: 'd' }
  expect(findUserDirectories(surroundings({ env }))).toEqual({
    cache: join(place, 'c/polgate'),
    data: join(place, 'home/.local/share/polgate'),
  })
})

test('without HOME the entry of the user counts', () => {
  const { cache } = findUserDirectories(surroundings({ env: {}, home: () => join(place, 'home') }))
  expect(cache).toBe(join(place, 'home/.cache/polgate'))
})

test.each([
  ['missing', {}],
  ['empty', { HOME: '' }],
  ['not a directory', { HOME: 'file' }],
])('with a home that is %s, data stays in the project and the cache is temporary', (_, env) => {
  const HOME = 'HOME' in env && env.HOME === 'file' ? blocked('file') : Object(env).HOME
  const changes = { env: HOME === undefined ? {} : { HOME } }
  expect(findUserDirectories(surroundings(changes))).toEqual({
    cache: join(place, 'temporary', `polgate-${process.getuid?.() ?? 'user'}`),
    data: join(place, 'project/.svc'),
  })
})

test('a temporary directory that others can write is not used', () => {
  const usual = join(place, 'temporary', `polgate-${process.getuid?.() ?? 'user'}`)
  const nowhere = surroundings({ env: {}, cwd: blocked('file') })
  mkdirSync(usual)
  chmodSync(usual, 0o777)
  const { cache } = findUserDirectories(nowhere)
  expect(cache).not.toBe(usual)
  expect(statSync(cache).mode & 0o777).toBe(0o700)
  rmSync(usual, { recursive: true })
  mkdirSync(join(place, 'of-somebody'))
  symlinkSync(join(place, 'of-somebody'), usual)
  expect(findUserDirectories(nowhere).cache).not.toBe(usual)
})

test('state is in the XDG directory, else in the clone or in the home directory', () => {
  const clone = join(place, 'clone')
  const set = { HOME: join(place, 'home'), XDG_STATE_HOME: join(place, 's') }
  expect(findStateDirectory(surroundings({ clone, env: set }))).toBe(join(place, 's/polgate'))
  expect(findStateDirectory(surroundings({ clone }))).toBe(join(clone, '.cache'))
  const home = join(place, 'home/.local/state/polgate')
  expect(findStateDirectory(surroundings())).toBe(home)
  const relative = { HOME: join(place, 'home'), XDG_STATE_HOME: 's' }
  expect(findStateDirectory(surroundings({ env: relative }))).toBe(home)
})
