import { setTimeout as pause } from 'node:timers/promises'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

type Admin = Pick<StackDescription, 'adminUrl'>

/** From a fault to 503, and from its end to 200: at most, milliseconds. */
export const readyzWithinMs = 2_000

export async function readyz({ adminUrl }: Admin) {
  const response = await fetch(`${adminUrl}/readyz`)
  return { status: response.status, text: await response.text() }
}

const everyMs = 25

/**
 * For tests: how long `/readyz` takes to answer with a status, in milliseconds, without the time by which
 * a busy machine was late with the timers of this process.
 */
export async function untilReadyz(admin: Admin, status: number) {
  let lateMs = 0
  let due = performance.now() + everyMs
  const watch = setInterval(() => {
    const now = performance.now()
    lateMs += Math.max(0, now - due)
    due = now + everyMs
  }, everyMs)
  try {
    const begin = performance.now()
    for (;;) {
      const found = await readyz(admin)
      const ms = performance.now() - begin
      if (found.status === status) return { ms: ms - lateMs, text: found.text }
      if (ms > 60_000) throw new Error(`still ${found.status} after ${ms} ms: ${found.text}`)
      await pause(everyMs)
    }
  } finally {
    clearInterval(watch)
  }
}
