import type { HostFetch } from '../hostFetch.ts'
import { HostFetchError } from '../hostFetchError.ts'
import { checkRequest } from '../hostRequest.ts'
import type { OracleLimits } from '../limits.ts'
import type { Exchange, ExchangeAnswer } from './exchange.ts'

export type Recorder = {
  /** The fetch of one run, whose exchanges are kept. */
  through(fetch: HostFetch, limits: OracleLimits): HostFetch
  /** In the order in which they were asked. */
  exchanges(): readonly Exchange[]
}

/** Keeps what an oracle asks and is answered, in memory. */
export function createRecorder(oracle?: string): Recorder {
  const kept: { exchange: Exchange }[] = []
  return {
    through: (fetch, limits) => async (request, signal) => {
      // What the host refuses to send it refuses in replay too.
      checkRequest(request, limits)
      const copy = { ...request, method: request.method.toUpperCase() }
      const entry = { exchange: exchangeOf(oracle, copy, { kind: 'none' }) }
      kept.push(entry)
      try {
        const response = await fetch(request, signal)
        entry.exchange = exchangeOf(oracle, copy, { kind: 'response', response })
        return response
      } catch (error) {
        if (isLimit(error)) kept.splice(kept.indexOf(entry), 1)
        else if (!signal.aborted) {
          const message = error instanceof Error ? error.message : 'failed'
          entry.exchange = exchangeOf(oracle, copy, { kind: 'error', message })
        }
        throw error
      }
    },
    exchanges: () => kept.map(({ exchange }) => exchange),
  }
}

/** A bound of the run, which holds in replay as it is. */
const isLimit = (error: unknown) => error instanceof HostFetchError && error.final

const exchangeOf = (
  oracle: string | undefined,
  request: Exchange['request'],
  answer: ExchangeAnswer,
): Exchange => ({ ...(oracle === undefined ? {} : { oracle }), request, answer })
