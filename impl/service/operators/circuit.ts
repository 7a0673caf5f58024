import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { operatorUnreachable } from './operatorErrors.ts'

export type Circuit = {
  /**
   * Runs a call, or fails immediately while the circuit is open.
   *
   * @throws ServiceError `operator unreachable: ...`
   */
  run<Answer>(call: () => Promise<Answer>): Promise<Answer>
  readonly open: boolean
  close(): void
}

export type CircuitOptions = {
  /** Checks that the operator is alive; rejects if it is not. */
  readonly probe: () => Promise<unknown>
  /** Whether a probe failed immediately, like a refused connection: then calls do, too. */
  readonly isQuick: (error: unknown) => boolean
  /** A call that fails sooner does not trigger a probe, milliseconds. */
  readonly slowMs?: number
  /** Probe interval while the circuit is open, milliseconds. */
  readonly everyMs?: number
}

/**
 * A circuit breaker that keeps a hanging operator from delaying every task. A slow failure triggers
 * a probe; if that fails as well, calls fail immediately until a background probe succeeds. An
 * operator that refuses connections fails quickly, so each call tries again and it counts as soon
 * as it is back.
 */
export function createCircuit(options: CircuitOptions): Circuit {
  const { probe, isQuick, slowMs = 500, everyMs = 1_000 } = options
  let open = false
  let lastError: unknown
  let probing = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    if (probing || closed) return
    probing = true
    clearTimeout(timer)
    open = await probe().then(
      () => false,
      (error) => {
        lastError = error
        return !isQuick(error)
      },
    )
    probing = false
    if (open && !closed) timer = setTimeout(look, everyMs).unref()
  }

  return {
    get open() {
      return open
    },
    async run(call) {
      if (open) throw stillAway(lastError)
      const begin = performance.now()
      try {
        return await call()
      } catch (error) {
        if (performance.now() - begin >= slowMs) void look()
        throw error
      }
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

/**
 * Errors that only a configuration change can fix are reported unchanged: another operator answers.
 */
const stillAway = (lastError: unknown): unknown =>
  lastError instanceof ServiceError && !lastError.retryable
    ? lastError
    : operatorUnreachable('no answer for a while; waiting for a successful probe', lastError)
