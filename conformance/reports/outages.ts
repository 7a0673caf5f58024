import type { CheckFinished, Evidence, RunStarted } from '../core/events.ts'
import { rpcMethodIn } from '../core/unanswered.ts'

/** A request to the gateway, with the check that sent it. */
export type Call = {
  readonly check: string
  /** The JSON-RPC method, or method and path. */
  readonly method: string
  /** The JSON-RPC id as sent; absent where none is known. */
  readonly id?: string
  /** When it was sent, milliseconds since the start of the run. */
  readonly at: number
  /** HTTP status of its answer. */
  readonly status?: number
}

/** The gateway stopped answering: one cause, however many checks have no result because of it. */
export type Outage = {
  /** When it was noticed, milliseconds since the start of the run. */
  readonly at: number
  readonly why: string
  /** The last request that it answered before. */
  readonly lastAnswered?: Call
  /** Requests that it may have accepted and did not answer: one of them may be the reason. */
  readonly pending: readonly Call[]
  /** Checks without a result because of it. */
  readonly checks: readonly string[]
}

/** So many requests may be in progress at a time. */
const mostPending = 16

type Requested = Extract<Evidence, { readonly kind: 'exchange' | 'unanswered' }>
type Sent = { readonly check: string; readonly seen: Requested }

/** The id of a call, as JSON; undefined for another body, and one that was truncated. */
function idIn(body: string): string | undefined {
  try {
    return JSON.stringify((JSON.parse(body) as { id?: unknown }).id)
  } catch {
    return undefined
  }
}

function callOf({ check, seen }: Sent, gatewayUrl: string): Call {
  const { method, url, body } = seen.request
  const rpc = rpcMethodIn(body)
  const id = idIn(body)
  return {
    check,
    method: rpc ?? `${method} ${url.slice(gatewayUrl.length)}`,
    ...(rpc === undefined || id === undefined ? {} : { id }),
    at: seen.at,
    ...(seen.kind === 'exchange' ? { status: seen.status } : {}),
  }
}

const endOf = ({ seen }: Sent) => seen.at + seen.ms

type Noticed = CheckFinished & { readonly outage: NonNullable<CheckFinished['outage']> }

const noticedOutage = (result: CheckFinished): result is Noticed => result.outage !== undefined

/**
 * The times at which the gateway stopped answering, from the evidence of all checks. An answer to a
 * request that was sent after one of them starts the next.
 */
export function outagesOf(
  { gatewayUrl }: Pick<RunStarted, 'gatewayUrl'>,
  results: readonly CheckFinished[],
): readonly Outage[] {
  const noticed = results.filter(noticedOutage).sort((a, b) => a.outage.at - b.outage.at)
  if (noticed.length === 0) return []
  const sent = results.flatMap(({ id: check, evidence }) =>
    evidence.flatMap((seen): readonly Sent[] =>
      (seen.kind === 'exchange' || seen.kind === 'unanswered') &&
      seen.request.url.startsWith(gatewayUrl)
        ? [{ check, seen }]
        : [],
    ),
  )
  const answered = sent.filter(({ seen }) => seen.kind === 'exchange')
  const groups: Noticed[][] = []
  for (const each of noticed) {
    const last = groups.at(-1)
    const from = last?.[0]?.outage.at ?? 0
    const answeredBetween = answered.some(
      (one) => one.seen.at > from && endOf(one) < each.outage.at,
    )
    if (last === undefined || answeredBetween) groups.push([each])
    else last.push(each)
  }
  return groups.map((some) => {
    const { at, why } = some[0]!.outage
    const before = answered.filter((one) => one.seen.at <= at)
    const lastAnswered = before.reduce<Sent | undefined>(
      (best, one) => (best === undefined || endOf(one) > endOf(best) ? one : best),
      undefined,
    )
    const checks = new Set(some.map(({ id }) => id))
    const pending = sent.filter(
      ({ check, seen }) => seen.kind === 'unanswered' && seen.accepted && checks.has(check),
    )
    return {
      at,
      why,
      ...(lastAnswered && { lastAnswered: callOf(lastAnswered, gatewayUrl) }),
      pending: pending
        .sort((a, b) => a.seen.at - b.seen.at)
        .slice(0, mostPending)
        .map((each) => callOf(each, gatewayUrl)),
      checks: [...checks],
    }
  })
}
