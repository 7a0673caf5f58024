import { createServer } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { describe, expect, it } from 'vitest'
import { createIntent } from '../intents/createIntent.ts'
import { createBaseExplorer } from './createBaseExplorer.ts'
import { findTasks } from './findTasks.ts'

const address = `0x${'11'.repeat(20)}` as const
const intent = createIntent({ from: address, to: address, value: 5n, chainId: 1 })
const shown = { ...intent, chainId: 1, functionSignature: '0x', value: '0x5' }
const idOf = (at: number) => `0x${String(at).padStart(64, '0')}` as const

/** An explorer with one row a minute, in either order; `null`: a task that never reached the chain. */
async function serve(minutes: readonly (number | null)[]) {
  const rows = minutes.map((minute, at) => ({
    id: idOf(at),
    policy_client_address: address,
    sender_address: address.toUpperCase().replace('0X', '0x'),
    task_created_at: minute === null ? null : new Date(minute * 60_000).toISOString(),
    updated_at: new Date(0).toISOString(),
    intent: shown,
  }))
  let details = 0
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    const id = pathname.split('/')[3]
    if (id !== undefined) {
      details += 1
      return response.end(JSON.stringify(rows.find((row) => row.id === id)))
    }
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('size'))]
    const results = rows.slice((page - 1) * size, page * size)
    return response.end(JSON.stringify({ total: rows.length, page, size, results }))
  })
  const { url } = await listen(server)
  return {
    explorer: createBaseExplorer({ url, key: 'k' }),
    details: () => details,
    close: () => drain(server),
  }
}

describe('findTasks', () => {
  it.each([
    ['newest first', [9, 8, 7, 2, 1], [0, 1, 2]],
    ['oldest first', [1, 2, 7, 8, 9], [2, 3, 4]],
    ['with an old one that never reached the chain', [null, 9, 8, 1], [1, 2]],
    ['all old', [3, 2, 1], []],
  ])('finds the tasks since a time, in a list that is %s', async (_, minutes, expected) => {
    const server = await serve(minutes)
    const found: string[] = []
    const since = new Date(5 * 60_000)
    for await (const { id } of findTasks(server.explorer, { policyClient: address, intent, since }))
      found.push(id)
    expect(found).toEqual(expected.map(idOf))
    expect(server.details()).toBe(expected.length)
    await server.close()
  })

  it('skips other intents', async () => {
    const server = await serve([9])
    const other = { ...intent, value: '0x6' as const }
    const since = new Date(0)
    for await (const _ of findTasks(server.explorer, {
      policyClient: address,
      intent: other,
      since,
    }))
      expect.unreachable()
    expect(server.details()).toBe(1)
    await server.close()
  })
})
