import { setTimeout as sleep } from 'node:timers/promises'
import { unlessAborted } from './unlessAborted.ts'

export type StartedOptions<Started> = {
  readonly starting: Promise<Started>
  readonly close: (started: Started) => Promise<unknown>
  /** Time for closing after an abort, milliseconds; default 800. */
  readonly graceMs?: number | undefined
}

/**
 * What is starting, for a process that ends when the signal aborts: it has a moment to close what it
 * has started so far. What takes longer ends with the process.
 *
 * @throws the signal's reason after an abort; the error of the start
 */
export async function startedUnlessAborted<Started>(
  signal: AbortSignal,
  { starting, close, graceMs = 800 }: StartedOptions<Started>,
): Promise<Started> {
  try {
    return await unlessAborted(signal, starting)
  } catch (error) {
    if (!signal.aborted) throw error
    const late = new AbortController()
    await Promise.race([
      starting.then(close).catch(() => {}),
      sleep(graceMs, undefined, { signal: late.signal }).catch(() => {}),
    ])
    late.abort()
    throw error
  }
}
