import { checks } from 'polgate-conformance/checks/catalogue.ts'
import type { CheckFinished } from 'polgate-conformance/core/events.ts'
import { summarise } from 'polgate-conformance/core/summary.ts'
import { failureGroups } from 'polgate-conformance/reports/failureGroups.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { nullFloor } from './nullFloor.ts'
import { nullServers } from './nullTargets.ts'

const names = Object.keys(nullServers) as (keyof typeof nullServers)[]

describe.each(names)('the floor on the server %s', (name) => {
  let results: readonly CheckFinished[]

  beforeAll(async () => {
    results = await nullFloor(name)
  }, 120_000)

  test('no check passes', () => {
    expect(results).toHaveLength(checks.length)
    expect(results.filter((r) => r.verdict === 'passed').map((r) => r.id)).toEqual([])
  })

  test('every cause names a method, a path or a topic, and every failure what was sent', () => {
    const failed = results.filter((r) => r.verdict === 'failed')
    const named =
      /\b(svc|rpc)[_.]\w+|\/(rpc|ws|v1)\b|service\.task\.|on chain|\b(GET|POST|PUT|DELETE) \S/
    const causes = failureGroups(failed).map(({ cause }) => cause)
    expect(causes.filter((cause) => !named.test(cause))).toEqual([])
    const isWhole = ({ call, sent, expected, observed }: CheckFinished) =>
      [call, sent, expected, observed].every((text) => text !== undefined)
    expect(failed.filter((each) => !isWhole(each)).map(({ id, reason }) => [id, reason])).toEqual(
      [],
    )
  })

  test('the run is not conformant, or reports that it proved nothing; no profile holds', () => {
    const sum = (pick: (r: CheckFinished) => number) => results.reduce((n, r) => n + pick(r), 0)
    const { words, profiles } = summarise(results, {
      planned: checks.length,
      interrupted: false,
      exchanges: sum((r) => r.exchanges),
      refusals: sum((r) => r.refusals),
    })
    expect(words).toBe(name === '401-everything' ? 'INCONCLUSIVE' : 'NOT CONFORMANT')
    expect(profiles.filter(({ holds }) => holds)).toEqual([])
  })
})
