import type { Address } from 'polgate-protocol/scalars.ts'

export type PresenceLog = {
  warn(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
}

/** Whether an operator answers, told in the log when that changes. */
export type OperatorPresence = {
  answered(): void
  /** It did not answer: it is asked for until it does. */
  missed(error: unknown): void
  /** Since when it has not answered, and why, in a line; undefined while it answers. */
  problem(): string | undefined
  close(): void
}

export type PresenceOptions = {
  readonly address: Address
  /** Asks for a sign of life; rejects where there is none. */
  readonly ask: () => Promise<unknown>
  /** Between two of them while it does not answer, milliseconds. */
  readonly everyMs: number
  readonly log: PresenceLog
}

const longestCause = 300

export function operatorPresence(options: PresenceOptions): OperatorPresence {
  const { address: operator, ask, everyMs, log } = options
  let away: { readonly since: Date; readonly cause: string } | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  function answered(): void {
    clearTimeout(timer)
    if (away === undefined) return
    log.info({ operator, since: away.since }, 'the operator answers again')
    away = undefined
  }

  function missed(error: unknown): void {
    if (closed) return
    const cause = String(error instanceof Error ? error.message : error).slice(0, longestCause)
    if (away === undefined) log.warn({ operator, cause }, 'the operator does not answer')
    away = { since: away?.since ?? new Date(), cause }
    clearTimeout(timer)
    timer = setTimeout(() => void ask().then(answered, missed), everyMs).unref()
  }

  return {
    answered,
    missed,
    problem: () =>
      away &&
      `operator ${operator} does not answer since ${away.since.toISOString()}: ${away.cause}`,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
