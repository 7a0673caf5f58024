import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from './storeError.ts'

type Holder = { pid: number; started: string }

const prefix = 'writer-'

/**
 * When a process started: the boot id and ticks since boot. Distinguishes the lock holder from a
 * later process with the same pid. Empty on a system without /proc.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`
  } catch {
    return ''
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return started === startOf(pid)
}

function read(file: string): Holder | undefined {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>
    return Number.isInteger(pid) && typeof started === 'string'
      ? { pid: pid as number, started }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Makes this process the only writer of a directory, until the returned function is called or the
 * process ends in any way. Embedded PostgreSQL has no such lock, and two writers corrupt the data.
 *
 * Each process writes a lock file first and reads the others after it, so of two that start at the
 * same time at least one sees the other. Files of ended processes are ignored and deleted. All
 * processes must share a process table: two containers on one volume do not see each other.
 *
 * @throws StoreError `in-use`
 */
export function lockDirectory(directory: string): () => void {
  const name = `${prefix}${process.pid}-${randomBytes(6).toString('hex')}.lock`
  const file = join(directory, name)
  const release = () => rmSync(file, { force: true })
  const text = JSON.stringify({ pid: process.pid, started: startOf(process.pid) })
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    // On a full disk an empty file may have been created.
    release()
    throw error
  }
  for (const other of readdirSync(directory)) {
    if (other === name || !other.startsWith(prefix)) continue
    // An unreadable file is being written at this moment, or was left by a power cut; its name has
    // the pid.
    const pid = Number(other.split('-')[1])
    const holder = read(join(directory, other)) ?? { pid, started: startOf(pid) }
    if (!isAlive(holder)) {
      rmSync(join(directory, other), { force: true })
      continue
    }
    release()
    throw new StoreError(`The data directory is in use by process ${holder.pid}`, {
      code: 'in-use',
      hint: `Stop that process or use a directory other than ${directory}. If the process is not a service on this directory, delete ${join(directory, other)}.`,
    })
  }
  return release
}
