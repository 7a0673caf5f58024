import type { ConformanceRun } from 'polgate-protocol/control/conformance.ts'
import type { Tone } from '../../ui/Badge.tsx'

/** What a run decided, in the words of its reports. */
export function verdictOf(run: ConformanceRun): { readonly tone: Tone; readonly text: string } {
  const { state, code, verdict } = run
  if (state === 'running') return { tone: 'neutral', text: 'running' }
  if (state === 'cancelled') return { tone: 'warn', text: 'cancelled' }
  if (state === 'timed-out') return { tone: 'warn', text: 'stopped: it took too long' }
  if (state === 'interrupted') return { tone: 'warn', text: 'interrupted' }
  if (state === 'failed') return { tone: 'bad', text: 'could not run' }
  if (code === 0) return { tone: 'good', text: verdict ?? 'passed' }
  if (code === 3) return { tone: 'warn', text: verdict ?? 'inconclusive' }
  return { tone: 'bad', text: verdict ?? 'failed' }
}

/** What was selected. */
export function selectionText({ selection, planned }: ConformanceRun): string {
  const { only, clause, level } = selection
  const parts = [
    ...(only === undefined ? [] : [only.length === 1 ? only[0]! : `${only.length} chosen checks`]),
    ...(clause === undefined ? [] : [`clause ${clause}`]),
    ...(level === undefined ? [] : [`level ${level}`]),
  ]
  return parts.length === 0 ? `all ${planned} checks` : parts.join(', ')
}

/** Number of results that a run has so far. */
export const doneOf = ({ counts }: ConformanceRun): number =>
  counts.passed + counts.failed + counts.untestable + counts.notApplicable

export const toneOf = (verdict: string): Tone =>
  verdict === 'passed' ? 'good' : verdict === 'failed' ? 'bad' : 'neutral'
