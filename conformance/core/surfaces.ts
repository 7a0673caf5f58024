import type { Evidence } from './events.ts'

export type Surface = 'rpc' | 'explorer' | 'websocket' | 'webhook' | 'block'

/** Where something was seen. */
export function surfaceOf(seen: Evidence): Surface {
  if (seen.kind === 'exchange' || seen.kind === 'unanswered')
    return seen.request.method === 'GET' ? 'explorer' : 'rpc'
  return seen.kind === 'frame' ? 'websocket' : seen.kind
}

/** The number of surfaces of evidence. */
export const surfacesOf = (evidence: readonly Evidence[]): number =>
  new Set(evidence.map(surfaceOf)).size
