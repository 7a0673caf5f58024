import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { iteratePages, type ReadPage } from './pages.ts'

/** A change of the list between two requests: rows arrive at the front, and rows go. */
const changes = fc.array(
  fc.record({ arrive: fc.nat(5), remove: fc.option(fc.nat(40), { nil: undefined }) }),
  { maxLength: 20 },
)

/** A list, newest first, that changes after each request; with links as the explorer's, or without. */
function changingList(
  rows: number,
  planned: readonly { arrive: number; remove?: number | undefined }[],
  links: boolean,
) {
  let list = Array.from({ length: rows }, (_, at) => rows - at)
  const removed = new Set<number>()
  const left = [...planned]
  let newest = rows
  const read: ReadPage<number> = async ({ page = 1, size = 10, as_of }) => {
    const total = list.length
    const moment = as_of === undefined ? total : Number(as_of)
    const skip = (Number(page) - 1) * Number(size) + (links ? Math.max(0, total - moment) : 0)
    const results = list.slice(skip, skip + Number(size))
    const more = Number(page) * Number(size) < moment
    const next =
      links && more ? { page: String(Number(page) + 1), as_of: String(moment) } : undefined
    const change = left.shift()
    if (change !== undefined) {
      for (let count = 0; count < change.arrive; count += 1) list.unshift(++newest)
      const gone = list[change.remove ?? -1]
      if (gone !== undefined) removed.add(gone)
      list = list.filter((row) => row !== gone)
    }
    return {
      result: { total, page: Number(page), size: Number(size), results },
      next,
      linked: links,
    }
  }
  return { read, removed }
}

async function collect(read: ReadPage<number>, size: number) {
  const rows: number[] = []
  for await (const row of iteratePages(read, String, { size })) rows.push(row)
  return rows
}

describe('iteratePages', () => {
  property({
    rows: fc.nat(60),
    size: fc.integer({ min: 1, max: 12 }),
    planned: changes,
    links: fc.boolean(),
  })(
    'yields every row that stays once, while rows arrive',
    async ({ rows, size, planned, links }) => {
      const arrivals = planned.map(({ arrive }) => ({ arrive }))
      const { read } = changingList(rows, arrivals, links)
      const found = await collect(read, size)
      expect(new Set(found).size).toBe(found.length)
      for (let row = 1; row <= rows; row += 1) expect(found).toContain(row)
      if (links) expect(found).toHaveLength(rows)
    },
  )

  property({ rows: fc.nat(60), size: fc.integer({ min: 1, max: 12 }), planned: changes })(
    'yields nothing twice, and ends, while rows arrive and go',
    async ({ rows, size, planned }) => {
      const { read } = changingList(rows, planned, false)
      const found = await collect(read, size)
      expect(new Set(found).size).toBe(found.length)
    },
  )

  property({
    rows: fc.nat(60),
    size: fc.integer({ min: 1, max: 12 }),
    gone: fc.array(fc.nat(60), { maxLength: 9 }),
  })('misses no row that stays where rows go', async ({ rows, size, gone }) => {
    const planned = gone.map((remove) => ({ arrive: 0, remove }))
    const { read, removed } = changingList(rows, planned, false)
    const found = await collect(read, size)
    for (let row = 1; row <= rows; row += 1) if (!removed.has(row)) expect(found).toContain(row)
  })

  it('requests a page only when it is needed', async () => {
    let requests = 0
    const { read } = changingList(30, [], true)
    const counted: ReadPage<number> = (...page) => {
      requests += 1
      return read(...page)
    }
    for await (const row of iteratePages(counted, String, { size: 10 })) if (row === 21) break
    expect(requests).toBe(1)
  })

  it('refuses what is no page', async () => {
    const read = async () => ({ result: {} as never, next: undefined, linked: false })
    await expect(collect(read, 10)).rejects.toMatchObject({ code: 'RESPONSE_MALFORMED' })
  })
})
