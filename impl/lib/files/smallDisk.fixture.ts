import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  readonly directory: string
  /** Fills the remaining space. */
  fill(): void
  free(): void
  /** Of the whole file system; refused while a file is open for writing. */
  readOnly(on: boolean): void
  /** Makes a directory of it read-only for what is opened from now on, until the returned function is called. */
  coverReadOnly(path: string): () => void
  /** Removes all files. */
  clear(): void
  close(): void
}

/**
 * A small file system in memory for tests that fill it. If this process may not mount one, prints a
 * line and returns undefined. A process limit (`ulimit -f`) would not affect the other processes.
 */
export function mountSmallDisk(size: string): SmallDisk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return leftOut('not root on Linux')
  const directory = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(directory, { recursive: true })
    return leftOut('mounting is not permitted')
  }
  const filling = join(directory, 'filling')
  return {
    directory,
    fill() {
      const { bavail, bsize } = statfsSync(directory)
      const file = openSync(filling, 'w')
      // One buffer for all of it: its pages are not those of the file.
      const part = Buffer.alloc(256 * bsize)
      for (let left = bavail * bsize; left > 0; left -= part.length)
        writeSync(file, part, 0, Math.min(left, part.length))
      closeSync(file)
    },
    free: () => rmSync(filling, { force: true }),
    readOnly: (on) => void execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, directory]),
    coverReadOnly(path) {
      execFileSync('mount', ['--bind', path, path])
      execFileSync('mount', ['-o', 'remount,bind,ro', path])
      return () => void execFileSync('umount', ['-l', path])
    },
    clear() {
      for (const name of readdirSync(directory))
        rmSync(join(directory, name), { recursive: true, force: true })
    },
    close() {
      execFileSync('umount', ['-l', directory])
      rmSync(directory, { recursive: true })
    },
  }
}

function leftOut(why: string): undefined {
  process.stderr.write(`Skipping tests on a full disk: ${why}\n`)
  return undefined
}
