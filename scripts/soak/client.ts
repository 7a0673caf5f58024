import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { MethodName, ResultOf } from 'polgate-protocol/methods.ts'
import { count, type Ledger } from './ledger.ts'

type Body<M extends MethodName> = {
  readonly result?: ResultOf<M>
  readonly error?: { readonly code: number; readonly message: string }
}

export type Client = {
  /** The result; undefined if the gateway returned none, which is counted by its reason. */
  call<M extends MethodName>(
    method: M,
    params: unknown,
    key: string,
  ): Promise<ResultOf<M> | undefined>
  /** Reads a path below `/v1` of the explorer. */
  explore(path: string, key: string): Promise<void>
}

/** Client timeout, milliseconds. */
const patience = 120_000

/** Failures that an outage explains; the text names the unavailable part. */
const outage =
  /unavailable|cannot be reached|out of reach|does not answer|did not answer|(?:does|did) not respond|no answer|time(?:d )?[- ]?out|not reached|try again|retry|unreachable|Contract read failed|connection|quorum|reorgani[sz]|No operators available|reference block|TaskAlreadyExists|WASM execution failed/i

/** A client of several gateways that counts all responses, and those not explained by an outage. */
export function soakClient(options: {
  readonly ledger: Ledger
  readonly gateway: () => { readonly gatewayUrl: string; readonly explorerUrl: string }
}): Client {
  const { ledger } = options

  const ask = async (what: string, url: string, init: RequestInit) => {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patience) })
      const text = await response.text()
      if (![502, 503, 429].includes(response.status)) return { status: response.status, text }
      count(ledger.answers, `HTTP ${response.status}`)
    } catch (error) {
      const { cause, message } = error as Error
      count(ledger.answers, 'no answer')
      count(
        ledger.unexplained,
        `${what}: no response: ${(cause as Error | undefined)?.message ?? message}`,
      )
    }
    return undefined
  }

  return {
    async call<M extends MethodName>(method: M, params: unknown, key: string) {
      const answered = await ask(method, `${options.gateway().gatewayUrl}/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: crypto.randomUUID(),
          method: defaultBrand.methodPrefix + method,
          params,
        }),
      })
      if (answered === undefined) return undefined
      const { status, text } = answered
      const { result, error } = JSON.parse(text) as Body<M>
      const told = error?.message ?? (result as { error?: string | null } | undefined)?.error
      if (status === 200 && (told === undefined || told === null)) {
        count(ledger.answers, 'accepted')
        return result
      }
      count(ledger.answers, 'failed, explained')
      if (status !== 200 || error?.code === -32603 || !outage.test(String(told)))
        count(ledger.unexplained, `${method}: HTTP ${status}: ${String(told).slice(0, 300)}`)
      return result
    },
    async explore(path, key) {
      const url = `${options.gateway().explorerUrl}/v1${path}`
      const answered = await ask('explorer', url, { headers: { 'x-api-key': key } })
      if (answered === undefined) return
      count(ledger.answers, answered.status === 200 ? 'accepted' : `HTTP ${answered.status}`)
      if (answered.status !== 200)
        count(
          ledger.unexplained,
          `explorer: HTTP ${answered.status}: ${answered.text.slice(0, 300)}`,
        )
    },
  }
}
