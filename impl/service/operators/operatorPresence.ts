import type { Address } from 'polgate-protocol/scalars.ts'

export type PresenceLog = {
  warn(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
}

/** Tracks whether an operator answers, and logs changes. */
export type OperatorPresence = {
  answered(): void
  /** It did not answer: starts probing. */
  missed(error: unknown): void
  /** One line with start and cause of an outage; undefined while the operator answers. */
  problem(): string | undefined
  close(): void
}

export type PresenceOptions = {
  readonly address: Address
  /** Checks that the operator is alive; rejects if it is not. */
  readonly ask: () => Promise<unknown>
  /** Probe interval while it does not answer, milliseconds. */
  readonly everyMs: number
  readonly log: PresenceLog
}

const maxCauseLength = 300

export function operatorPresence(options: PresenceOptions): OperatorPresence {
  const { address: operator, ask, everyMs, log } = options
  let away: { readonly since: Date; readonly cause: string } | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  function answered(): void {
    clearTimeout(timer)
    if (away === undefined) return
    log.info({ operator, since: away.since }, 'operator answers again')
    away = undefined
  }

  function missed(error: unknown): void {
    if (closed) return
    const cause = String(error instanceof Error ? error.message : error).slice(0, maxCauseLength)
    if (away === undefined) log.warn({ operator, cause }, 'operator does not answer')
    away = { since: away?.since ?? new Date(), cause }
    clearTimeout(timer)
    timer = setTimeout(() => void ask().then(answered, missed), everyMs).unref()
  }

  return {
    answered,
    missed,
    problem: () =>
      away &&
      `operator ${operator} has not answered since ${away.since.toISOString()}: ${away.cause}`,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
