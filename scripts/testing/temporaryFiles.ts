import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, statfs, symlink } from 'node:fs/promises'
import { freemem, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The file system in memory that Linux offers. */
const inMemory = '/dev/shm'
const prefix = 'svc-tests-'
/** Several times what a run of all tests needs at a time. */
const neededBytes = 4 * 1024 ** 3

/**
 * Moves the temporary files of this process, and of those that it starts, to a file system in
 * memory, if there is one with enough room. Tests copy and remove databases of a thousand files, and
 * whole installations of packages, which takes many seconds on a disk that discards the blocks of each
 * removed file, and a hundredth of that here.
 *
 * @returns a function that removes the files
 */
export async function keepTemporaryFilesInMemory(): Promise<() => Promise<void>> {
  if (!(await hasRoom())) return async () => {}
  await removeLeftBehind()
  const directory = await mkdtemp(join(inMemory, `${prefix}${process.pid}-`))
  // As of `/tmp`: PostgreSQL runs as another user, who creates and removes files here.
  await chmod(directory, 0o1777)
  await keepCompiled(directory)
  const before = process.env.TMPDIR
  process.env.TMPDIR = directory
  return async () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await remove(directory)
  }
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(inMemory)
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n')
    const options = mounts.find((line) => line.split(' ')[1] === inMemory)?.split(' ')[3]
    // Tests run commands that they write; containers forbid this here.
    if (options === undefined || options.split(',').includes('noexec')) return false
    return Math.min(bavail * bsize, freemem()) >= neededBytes
  } catch {
    return false
  }
}

/** What tsx compiled stays where other runs find it. */
async function keepCompiled(directory: string): Promise<void> {
  const name = `tsx-${userInfo().uid}`
  const kept = join(tmpdir(), name)
  await mkdir(kept, { recursive: true })
  await symlink(kept, join(directory, name))
}

/** Removes the files of runs that were killed. */
async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(inMemory)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : undefined
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await remove(join(inMemory, name))
  }
}

/** A disk that a killed test mounted below cannot be removed. */
const remove = (directory: string) =>
  rm(directory, { recursive: true, force: true }).catch(() => {})
