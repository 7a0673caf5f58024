import type { CheckFinished, RunEvent } from '../../core/events.ts'
import { exampleRun } from '../exampleRun.fixture.ts'

/** A run with as many checks as the suite has, of which a third fail for many causes. */
export function largeRun(): readonly RunEvent[] {
  const [started, first, ...rest] = exampleRun
  const verdicts = ['failed', 'passed', 'passed', 'untestable', 'not-applicable'] as const
  const results = Array.from({ length: 1_200 }, (_, i): CheckFinished => {
    const verdict = verdicts[i % verdicts.length]!
    return {
      ...(first as CheckFinished),
      id: `rpc.simulatePolicyDataWithClient.params.a-rather-long-name-${i}`,
      section: `${1 + (i % 60)}.1`,
      verdict,
      ...(verdict === 'failed'
        ? { reason: `member ${'abcdefgh'.repeat(1 + (i % 7))}_${'x'.repeat(i % 80)} is wrong` }
        : {}),
    }
  })
  return [started!, ...results, rest.at(-1)!]
}
