import type { TaskChainEvent, TaskSpan } from 'polgate-protocol/control/taskTrace.ts'
import { expect, it } from 'vitest'
import { chainParts } from './chainParts.ts'

const post: TaskSpan = {
  ...{ id: 1, parent: null, kind: 'post', name: 'post on chain', start: 120, duration: 30 },
}
const event = (kind: TaskChainEvent['kind'], at: string | null): TaskChainEvent => ({
  ...{ kind, at, block: 7, transaction: `0x${kind}`, facts: {} },
})

it('events are within the second of their block, and not before the posting', () => {
  const parts = chainParts({
    startedAt: '2026-01-01T00:00:10.600Z',
    spans: [post],
    chain: [
      event('created', '2026-01-01T00:00:10Z'),
      event('spent', '2026-01-01T00:00:15Z'),
      event('challenged', '2026-01-01T00:01:10Z'),
      event('responded', null),
      // A clock that is behind.
      event('responded', '2026-01-01T00:00:01Z'),
    ],
  })
  expect(parts.map(({ name, start, within }) => [name, start, within])).toEqual([
    ['Task posted', 120, 280],
    ['Attestation spent', 4_400, 1_000],
    ['Challenged', 59_400, 1_000],
    ['Response posted', 120, 0],
  ])
  expect(new Set(parts.map(({ id }) => id)).size).toBe(4)
})
