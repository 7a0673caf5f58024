import { overclaimingTarget } from 'polgate-self-test/nullTargets.ts'
import { expect, test } from 'vitest'
import { expectEqual } from '../../core/expect.ts'
import { execute } from '../../runner/execute.fixture.ts'
import { callAll, distinctRows } from './explorer.ts'

/** An explorer to which a task is added after every response: all older ones move by one place. */
function growing(tasks: number): typeof fetch {
  let total = tasks
  return (async (url: string) => {
    const query = new URL(url).searchParams
    const page = Number(query.get('page'))
    const size = Number(query.get('size'))
    const newest = total - 1
    const first = (page - 1) * size
    const length = Math.max(0, Math.min(size, total - first))
    const results = Array.from({ length }, (_, at) => ({ id: newest - first - at }))
    const body = JSON.stringify({ total: total++, page, size, results })
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  }) as typeof fetch
}

test('a row that moved to the next page meanwhile is counted once', async () => {
  const target = { ...overclaimingTarget('http://x.invalid'), explorerUrl: 'http://x.invalid' }
  const { verdict, reason, observed } = await execute(
    {
      run: async (t) => {
        const distinct = await distinctRows(t, '/task')
        expectEqual(distinct.length, 250, 'the distinct rows')
        expectEqual((await callAll(t, '/task')).length > 252, true, 'rows were repeated')
      },
    },
    { target, fetch: growing(250) },
  )
  expect([verdict, reason, observed]).toEqual(['passed', undefined, undefined])
})
