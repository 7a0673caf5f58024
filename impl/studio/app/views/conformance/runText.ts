import type { ConformanceRun } from 'polgate-protocol/control/conformance.ts'
import type { Tone } from '../../ui/Badge.tsx'

/** What a run decided, in words. Only one of every check says something about conformance. */
export function verdictOf(run: ConformanceRun): { readonly tone: Tone; readonly text: string } {
  const { state, code, selection } = run
  if (state === 'running') return { tone: 'neutral', text: 'running' }
  if (state === 'cancelled') return { tone: 'warn', text: 'cancelled' }
  if (state === 'timed-out') return { tone: 'warn', text: 'stopped: it took too long' }
  if (state === 'interrupted') return { tone: 'warn', text: 'interrupted' }
  if (state === 'failed') return { tone: 'bad', text: 'could not run' }
  const whole = Object.keys(selection).every((name) => name === 'seed')
  if (code === 0) return { tone: 'good', text: whole ? 'conformant' : 'selected checks passed' }
  if (code === 3) return { tone: 'warn', text: 'inconclusive' }
  return { tone: 'bad', text: 'not conformant' }
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
