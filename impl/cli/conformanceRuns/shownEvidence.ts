import type { CheckFinished, Evidence } from 'polgate-conformance/core/events.ts'
import { replayId } from 'polgate-conformance/core/replayId.ts'
import type {
  ConformanceEvidence,
  ConformanceResult,
} from 'polgate-protocol/control/conformance.ts'
import type { LoggedResult } from './runLog.ts'

/** A result as the control API shows it. */
export function shownResult(result: LoggedResult | CheckFinished, seed: string): ConformanceResult {
  const { id, title, section, clauses, level, verdict, ms, at, exchanges } = result
  const { call, sent, reason, expected, observed, counterexample, curl } = result
  return {
    ...{ id, title, section, level, verdict, ms, at, exchanges },
    clauses: [...clauses],
    replayId: replayId(id, seed),
    ...(call === undefined ? {} : { call }),
    ...(sent === undefined ? {} : { sent }),
    ...(reason === undefined ? {} : { reason }),
    ...(expected === undefined ? {} : { expected }),
    ...(observed === undefined ? {} : { observed }),
    ...(counterexample === undefined ? {} : { counterexample }),
    ...(curl === undefined ? {} : { curl }),
  }
}

/** What was observed: of a property the smallest failing case, which the verdict is about. */
export const evidenceOf = ({ evidence, failedCase }: CheckFinished): readonly Evidence[] =>
  failedCase ?? evidence

/** One observation; members that a kind lacks are absent. */
export function shownEvidence(seen: Evidence): ConformanceEvidence {
  const { kind, at, phase, subject } = seen
  const cut = seen.kind === 'block' ? undefined : seen.cut
  const common = {
    ...{ kind, at },
    ...(cut === undefined ? {} : { cut }),
    ...(phase === undefined ? {} : { phase }),
    ...(subject === undefined ? {} : { subject }),
  }
  if (seen.kind === 'block') return { ...common, text: `block ${seen.number}` }
  if (seen.kind === 'frame') return { ...common, text: `${seen.from}: ${seen.text}` }
  if (seen.kind === 'webhook') {
    const { path, headers, body, answered } = seen
    const answer = answered === null ? 'no answer' : `answered ${answered}`
    return {
      ...common,
      request: { method: 'POST', url: path, headers: { ...headers }, body },
      text: answer,
    }
  }
  const request = shownRequest(seen.request)
  if (seen.kind === 'unanswered') return { ...common, request, why: seen.why }
  const { status, headers, body, ms } = seen
  return { ...common, request, response: { status, headers: { ...headers }, body, ms } }
}

type Recorded = Extract<Evidence, { readonly kind: 'exchange' }>['request']

export function shownRequest({ method, url, headers, body, key, keyHeader }: Recorded) {
  return {
    ...{ method, url, body },
    headers: { ...headers },
    ...(key === undefined ? {} : { key }),
    ...(keyHeader === undefined ? {} : { keyHeader }),
  }
}
