import { checks } from 'polgate-conformance/checks/catalogue.ts'
import type { CheckFinished } from 'polgate-conformance/core/events.ts'
import { summarise } from 'polgate-conformance/core/summary.ts'
import { exitCode } from 'polgate-conformance/core/verdict.ts'
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

  test('the run is not conformant, or reports that it proved nothing', () => {
    const sum = (pick: (r: CheckFinished) => number) => results.reduce((n, r) => n + pick(r), 0)
    const { code } = summarise(results, {
      planned: checks.length,
      interrupted: false,
      exchanges: sum((r) => r.exchanges),
      refusals: sum((r) => r.refusals),
    })
    const vacuous = name === '401-everything'
    expect(code).toBe(vacuous ? exitCode.inconclusive : exitCode.notConformant)
  })
})
