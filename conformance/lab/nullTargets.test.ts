import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import type { CheckFinished } from '../runner/events.ts'
import { executeCheck } from '../runner/execute.ts'
import { createSession } from '../runner/session.ts'
import { exitCode, summarise } from '../runner/verdict.ts'
import { boastfulTarget, type NullServer, nullServers, startNullServer } from './nullTargets.ts'

const names = Object.keys(nullServers) as (keyof typeof nullServers)[]

describe.each(names)('the floor on the server %s', (name) => {
  let server: NullServer
  const results: CheckFinished[] = []

  beforeAll(async () => {
    server = await startNullServer(name)
    const target = boastfulTarget(server.url)
    const session = createSession({ target, seed: '0x00000001', effort: 0.1, missing: {} })
    const queue = [...checks]
    const worker = async () => {
      for (let check = queue.shift(); check; check = queue.shift())
        results.push(await executeCheck(check, session))
    }
    await Promise.all(Array.from({ length: 16 }, worker))
  }, 120_000)
  afterAll(() => server.close())

  test('no check passes', () => {
    expect(results).toHaveLength(checks.length)
    expect(results.filter((r) => r.verdict === 'passed').map((r) => r.id)).toEqual([])
  })

  test('the run is not conformant, or says that it proved nothing', () => {
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
