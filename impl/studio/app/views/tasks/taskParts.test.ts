import type { TaskSpan } from 'polgate-protocol/control/taskTrace.ts'
import { describe, expect, it } from 'vitest'
import { failedPart, partsOf, wholeDuration } from './taskParts.ts'

const a = '0xAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const b = '0xBbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
const span = (
  id: number,
  parent: number | null,
  kind: TaskSpan['kind'],
  more: Partial<TaskSpan> = {},
): TaskSpan => ({ id, parent, kind, name: kind, start: id, duration: 1, ...more })
const exchange = (status: number | null) => ({
  ...{ method: 'GET', url: 'https://a.example/x', requestHeaders: [] },
  requestBody: { text: '', size: 0 },
  response: status === null ? null : { status, headers: [], body: { text: '', size: 0 } },
})

describe('the parts of a task', () => {
  it('leave out details, whose parts move up to the next part that is shown', () => {
    const spans = [
      span(1, null, 'task', { duration: null }),
      span(2, 1, 'chain'),
      span(3, 2, 'component'),
      span(4, 3, 'http', { name: 'GET', exchange: exchange(503) }),
    ]
    expect(partsOf(spans, { all: false })).toEqual([
      { id: '1', start: 1, end: null, name: 'task', tone: 'neutral' },
      {
        ...{ id: '4', start: 4, end: 5, parent: '1', tone: 'warn' },
        name: 'GET https://a.example/x → 503',
      },
    ])
    expect(partsOf(spans, { all: true }).map(({ parent }) => parent)).toEqual([
      undefined,
      ...['1', '2', '3'],
    ])
  })

  it('name an operator once, where its work begins, and can be those of one', () => {
    const spans = [
      span(1, null, 'stage'),
      span(2, 1, 'operator', { operator: a }),
      span(3, 2, 'oracle', { operator: a, error: 'trap' }),
      span(4, 1, 'operator', { operator: b }),
      span(5, 3, 'http', { operator: a, name: 'GET a.example', exchange: exchange(null) }),
    ]
    const parts = partsOf(spans, { all: false })
    expect(parts.map(({ owner }) => owner?.slice(0, 4))).toEqual([
      ...[undefined, '0xAa', undefined, '0xBb', undefined],
    ])
    expect(parts[2]!.tone).toBe('bad')
    expect(parts[4]!.name).toBe('GET a.example → no response')
    const own = partsOf(spans, { all: false, operator: b.toLowerCase() })
    expect(own.map(({ id }) => id)).toEqual(['1', '4'])
  })

  it('have one where the task failed: the innermost', () => {
    const spans = [
      span(1, null, 'task', { error: 'no quorum' }),
      span(2, 1, 'stage'),
      span(3, 2, 'operator', { error: 'trap', operator: a }),
      span(4, 3, 'chain', { error: 'not shown' }),
      span(5, 2, 'operator', { error: 'trap', operator: b }),
    ]
    expect(failedPart(partsOf(spans, { all: false }))?.id).toBe('3')
    expect(failedPart(partsOf(spans, { all: true }))?.id).toBe('4')
    expect(failedPart(partsOf([span(1, null, 'task')], { all: true }))).toBeUndefined()
  })

  it('last until the task has ended', () => {
    const spans = [span(1, null, 'admission'), span(2, null, 'task', { start: 5, duration: 10 })]
    expect(wholeDuration({ spans })).toBe(15)
    expect(wholeDuration({ spans: [span(1, null, 'task', { duration: null })] })).toBeUndefined()
    expect(wholeDuration({ spans: [] })).toBeUndefined()
  })
})
