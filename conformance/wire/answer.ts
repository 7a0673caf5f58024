import type { Answer } from '../core/answer.ts'
import type { Exchange } from '../core/exchange.ts'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Of each exchange the status and the JSON are read by the assertions that judge it: `read` is called
 * then, so that a report can show the request that a failure is about.
 */
export type Watch = {
  readonly saw: (exchange: Exchange) => void
  readonly read?: (exchange: Exchange) => void
}

export function answerOf(exchange: Exchange, id: unknown, read?: Watch['read']): Answer {
  const json = parse(exchange.body)
  return {
    exchange,
    get status() {
      read?.(exchange)
      return exchange.status
    },
    get json() {
      read?.(exchange)
      return json
    },
    id,
  }
}

/** Maximum wait that a rate limited response may request; above it the 429 is returned. */
const longestWaitSeconds = 5
/** Enough for a limit that all checks reach together. */
const mostTries = 20

/**
 * Milliseconds after which a rate limited request may be sent again; undefined if it was not
 * limited.
 */
function waitOf({ status, headers }: Exchange): number | undefined {
  const seconds = Number(headers['retry-after'])
  return status === 429 && seconds > 0 && seconds <= longestWaitSeconds ? seconds * 1000 : undefined
}

/** Sends a request, and again after the wait that a rate limited response requests. */
export async function patiently(
  patient: boolean,
  make: () => Promise<Exchange>,
): Promise<Exchange> {
  for (let tries = patient ? mostTries : 1; ; tries--) {
    const exchange = await make()
    const wait = waitOf(exchange)
    if (wait === undefined || tries <= 1) return exchange
    // Others were told to wait as long.
    const spread = Math.random() * wait
    await new Promise((resolve) => setTimeout(resolve, wait + spread))
  }
}
