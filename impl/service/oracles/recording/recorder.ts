import type { HostFetch } from '../hostFetch.ts'
import { HostFetchError } from '../hostFetchError.ts'
import { checkRequest } from '../hostRequest.ts'
import type { OracleLimits } from '../limits.ts'
import type { Exchange, ExchangeAnswer } from './exchange.ts'

export type Recorder = {
  /** Wraps the fetch of one run and records its exchanges. */
  through(fetch: HostFetch, limits: OracleLimits): HostFetch
  /** In the order of the requests. */
  exchanges(): readonly Exchange[]
}

/** Records requests and answers of an oracle in memory. */
export function createRecorder(oracle?: string): Recorder {
  const kept: { exchange: Exchange }[] = []
  return {
    through: (fetch, limits) => async (request, signal) => {
      // Requests that the host rejects are rejected in replay too.
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

/** Whether the error is a limit of the run, which applies in replay too. */
const isLimit = (error: unknown) => error instanceof HostFetchError && error.final

const exchangeOf = (
  oracle: string | undefined,
  request: Exchange['request'],
  answer: ExchangeAnswer,
): Exchange => ({ ...(oracle === undefined ? {} : { oracle }), request, answer })
