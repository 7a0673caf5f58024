import { createHash } from 'node:crypto'
import type { CheckFinished } from '../core/events.ts'
import type { Step } from './verifyCertificate.ts'

/** Runs some checks against the live target again, with a new seed. */
export type Rerun = (ids: readonly string[]) => Promise<readonly CheckFinished[]>

/**
 * A few of the proven checks, selected by a nonce that was unknown when the certificate was made.
 */
export function sampleOf(
  ids: readonly string[],
  percent: number,
  nonce: string,
): readonly string[] {
  const rank = (id: string) => createHash('sha256').update(`${nonce}\n${id}`).digest('hex')
  const count = Math.min(ids.length, Math.max(1, Math.ceil((ids.length * percent) / 100)))
  return [...ids]
    .map((id) => ({ id, rank: rank(id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ id }) => id)
}

export type ChallengeOptions = {
  readonly percent: number
  readonly nonce: string
  readonly rerun: Rerun
}

/**
 * Runs a sample of the passed checks of a certificate again: it is valid only if all of them pass
 * now.
 */
export async function challenge(
  passed: readonly string[],
  { percent, nonce, rerun }: ChallengeOptions,
): Promise<Step> {
  const sample = sampleOf(passed, percent, nonce)
  if (sample.length === 0) return { name: 'challenge', ok: false, says: 'no check was proven' }
  const results = new Map((await rerun(sample)).map((result) => [result.id, result]))
  const wrong = sample.flatMap((id) => {
    const verdict = results.get(id)?.verdict ?? 'did not report'
    return verdict === 'passed' ? [] : [`${id} (${verdict})`]
  })
  return {
    name: 'challenge',
    ok: wrong.length === 0,
    says:
      wrong.length === 0
        ? `${sample.length} of ${passed.length} proven checks, chosen by ${nonce}, passed again on the live target`
        : `of ${sample.length} checks, chosen by ${nonce}, the live target does not pass ${wrong.join(', ')}`,
  }
}
