import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { operatorUnreachable } from './operatorErrors.ts'

export type Circuit = {
  /**
   * Runs a call, or fails at once while the operator is known not to answer.
   *
   * @throws ServiceError `operator unreachable: ...`
   */
  run<Answer>(call: () => Promise<Answer>): Promise<Answer>
  readonly open: boolean
  close(): void
}

export type CircuitOptions = {
  /** Asks for a sign of life; rejects where there is none. */
  readonly probe: () => Promise<unknown>
  /** Whether a probe failed at once, as that of a refused connection: then so do calls. */
  readonly isQuick: (error: unknown) => boolean
  /** A call that fails sooner has delayed nobody: the next one may try by itself, milliseconds. */
  readonly slowMs?: number
  /** Between two probes while the circuit is open, milliseconds. */
  readonly everyMs?: number
}

/**
 * Keeps an operator that hangs from delaying every task. A call that fails after a while has the
 * operator probed; where the probe fails too, calls fail at once, until a probe in the background
 * finds the operator again. One that refuses connections fails quickly by itself and is tried anew by
 * each call, so that it counts from the moment it is back.
 */
export function createCircuit(options: CircuitOptions): Circuit {
  const { probe, isQuick, slowMs = 500, everyMs = 1_000 } = options
  let open = false
  let trouble: unknown
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
        trouble = error
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
      if (open) throw stillAway(trouble)
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

/** What only the configuration can mend is told as it is: another operator answers. */
const stillAway = (trouble: unknown): unknown =>
  trouble instanceof ServiceError && !trouble.retryable
    ? trouble
    : operatorUnreachable('it has not answered for a while and is being looked for', trouble)
