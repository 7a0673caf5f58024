import { mkdir, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const heartbeatMs = 2_000
/** A lock that has not been renewed for this long is considered abandoned; so is one of the future, before the clock went back. */
const staleMs = 30_000
const pollMs = 50

/**
 * Runs work while no other process does so under the same lock, a directory. Advisory: it saves
 * repeated work and protects nothing. Without a writable directory the work runs without a lock.
 */
export async function withFileLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const held = await take(lock)
  if (!held) return await work()
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(lock, now, now).catch(() => undefined)
  }, heartbeatMs)
  heartbeat.unref()
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    await rmdir(lock).catch(() => undefined)
  }
}

async function take(lock: string): Promise<boolean> {
  await mkdir(dirname(lock), { recursive: true }).catch(() => undefined)
  for (;;) {
    try {
      await mkdir(lock)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
    const renewedAt = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
    if (renewedAt !== undefined && Math.abs(Date.now() - renewedAt) > staleMs)
      await rmdir(lock).catch(() => undefined)
    else await setTimeout(pollMs)
  }
}
