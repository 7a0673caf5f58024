import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  readonly directory: string
  /** Takes all the space that is left. */
  fill(): void
  free(): void
  readOnly(on: boolean): void
  /** Removes every file. */
  clear(): void
  close(): void
}

/**
 * A file system of its own in memory, to be filled; undefined, and a line that says so, where this
 * process may not mount one. A limit of the process (`ulimit -f`) would not stop the others.
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
      writeFileSync(filling, Buffer.alloc(bavail * bsize))
    },
    free: () => rmSync(filling, { force: true }),
    readOnly: (on) => void execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, directory]),
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
  process.stderr.write(`Tests on a full disk are left out: ${why}\n`)
  return undefined
}
