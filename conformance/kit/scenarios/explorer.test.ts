import { overclaimingTarget } from 'polgate-self-test/nullTargets.ts'
import { expect, test } from 'vitest'
import { expectEqual } from '../../core/expect.ts'
import { execute } from '../../runner/execute.fixture.ts'
import { callAll, distinctRows, readList } from './explorerLists.ts'

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
        expectEqual(distinct.rows.length, 250, 'the distinct rows')
        expectEqual((await callAll(t, '/task')).length > 252, true, 'rows were repeated')
      },
    },
    { target, fetch: growing(250) },
  )
  expect([verdict, reason, observed]).toEqual(['passed', undefined, undefined])
})

/** An explorer with a list that does not change; `asked` has the pages in the order of the requests. */
function settled(total: number) {
  const asked: number[] = []
  const answer = (async (url: string) => {
    const query = new URL(url).searchParams
    const [page, size] = [Number(query.get('page')), Number(query.get('size'))]
    asked.push(page)
    const first = (page - 1) * size
    const length = Math.max(0, Math.min(size, total - first))
    return Response.json({
      ...{ total, page, size },
      results: Array.from({ length }, (_, at) => ({ id: first + at })),
    })
  }) as typeof fetch
  return { asked, answer }
}

test.each([0, 1, 99, 100, 101, 1_999, 2_000])('a list of %d rows is read whole', async (total) => {
  const target = { ...overclaimingTarget('http://x.invalid'), explorerUrl: 'http://x.invalid' }
  const { asked, answer } = settled(total)
  const { verdict, reason } = await execute(
    {
      run: async (t) => {
        const { rows, whole } = await readList(t, '/task')
        const expected = Array.from({ length: total }, (_, id) => ({ id }))
        expectEqual({ rows, whole }, { rows: expected, whole: true }, 'the list')
      },
    },
    { target, fetch: answer },
  )
  expect([verdict, reason]).toEqual(['passed', undefined])
  expect(asked.length).toBeLessThanOrEqual(Math.max(1, Math.ceil(total / 100)))
})

test.each([2_001, 2_050, 1_000_000])('of %d rows both ends are read', async (total) => {
  const target = { ...overclaimingTarget('http://x.invalid'), explorerUrl: 'http://x.invalid' }
  const { asked, answer } = settled(total)
  const { verdict, reason, observations } = await execute(
    {
      run: async (t) => {
        const { rows, whole } = await readList(t, '/task')
        expectEqual(whole, false, 'whole')
        expectEqual(rows.slice(0, 1_000).at(-1), { id: 999 }, 'the last row of the start')
        expectEqual(rows.at(-1), { id: total - 1 }, 'the last row')
        expectEqual(new Set(rows.map(({ id }) => id)).size, rows.length, 'distinct rows')
      },
    },
    { target, fetch: answer },
  )
  expect([verdict, reason]).toEqual(['passed', undefined])
  expect(asked.length).toBe(20)
  expect(observations).toEqual([`/task has ${total} rows: the first and last 1000 were read`])
})
