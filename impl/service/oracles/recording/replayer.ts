import type { HostFetch, HostRequest, HostResponse } from '../hostFetch.ts'
import { HostFetchError } from '../hostFetchError.ts'
import { checkRequest } from '../hostRequest.ts'
import { formatBytes, type OracleLimits } from '../limits.ts'
import { describeMismatch } from './describeMismatch.ts'
import type { Exchange, Recording } from './exchange.ts'
import { RecordingError } from './recordingError.ts'
import { requestKey } from './requestKey.ts'

export type Replayer = {
  /** A fetch for one run that answers from the recording, without sockets. Limits apply. */
  fetchFor(oracle: string | undefined, limits: OracleLimits): HostFetch
  /** Recorded exchanges that have not been used. */
  left(): readonly Exchange[]
}

export type ReplayerOptions = {
  /** With secrets instead of placeholders. */
  readonly recording: Recording
  /** Its name in errors. */
  readonly name: string
  /** Removes known secrets from a text. */
  readonly clean: (oracle: string | undefined, text: string) => string
  /** Called for a request without a recorded answer: the run must end. */
  readonly onUnknown: (error: RecordingError) => void
}

/**
 * Answers requests from a recording. Requests are matched by method, URL, headers and body, in any
 * order; equal requests get their answers in recorded order.
 */
export function createReplayer(options: ReplayerOptions): Replayer {
  const { recording, name, onUnknown } = options
  const left = [...recording.exchanges]
  const redacted = new Set(recording.redactedHeaders)

  function take(oracle: string | undefined, request: HostRequest): Exchange | undefined {
    const key = requestKey(request, redacted)
    const at = left.findIndex(
      (each) => isOf(each, oracle) && requestKey(each.request, redacted) === key,
    )
    return at === -1 ? undefined : left.splice(at, 1)[0]
  }

  return {
    fetchFor(oracle, limits) {
      let calls = 0
      return async (sent, signal) => {
        calls += 1
        if (calls > limits.httpCalls) {
          const message = `limit of ${limits.httpCalls} HTTP calls in one run exceeded`
          throw new HostFetchError(message, { final: true })
        }
        checkRequest(sent, limits)
        const request = { ...sent, method: sent.method.toUpperCase() }
        const found = take(oracle, request)
        if (found !== undefined) return await answerOf(found, limits, signal)
        const candidates = recording.exchanges.filter((each) => isOf(each, oracle))
        const error = new RecordingError(
          `${name} has no answer to ${oracle === undefined ? 'a request' : `a request of ${oracle}`}:\n` +
            describeMismatch(request, candidates, new Set(left), {
              redacted,
              clean: (text) => options.clean(oracle, text),
            }),
          'If the requests of the oracle have changed, record again with --record FILE --force.',
        )
        onUnknown(error)
        throw new HostFetchError('the recording has no answer to this request', { final: true })
      }
    },
    left: () => left,
  }
}

/** A single oracle has no name, neither in a recording nor in a replay. */
const isOf = (exchange: Exchange, oracle: string | undefined) =>
  oracle === undefined || exchange.oracle === undefined || exchange.oracle === oracle

async function answerOf(
  { answer }: Exchange,
  limits: OracleLimits,
  signal: AbortSignal,
): Promise<HostResponse> {
  switch (answer.kind) {
    case 'error':
      throw new HostFetchError(answer.message)
    case 'none':
      // The recorded run ended before the answer, and so must this one.
      return await new Promise<never>((_, reject) => {
        const end = () => reject(new HostFetchError('the run has ended'))
        if (signal.aborted) end()
        else signal.addEventListener('abort', end, { once: true })
      })
    case 'response': {
      const { response } = answer
      const headers = response.headers.flat().join('')
      const size = Buffer.byteLength(headers) + response.body.length
      if (size <= limits.httpResponseBytes) return response
      const most = formatBytes(limits.httpResponseBytes)
      throw new HostFetchError(`the response is larger than ${most}`)
    }
  }
}
