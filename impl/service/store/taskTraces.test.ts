import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import type { Store } from './openStore.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

describe.each(engines)('spans of tasks on the $name engine', ({ url }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmptyStore(url)
  })
  afterAll(() => store.close())
  beforeEach(() => store.database.execute('truncate task_traces'))

  it('are found by task, the last one stored', async () => {
    const { taskTraces } = store
    await taskTraces.put([
      { taskId: '0x1', traceparent: 'a' },
      { taskId: '0x2', traceparent: 'b' },
    ])
    await taskTraces.put([{ taskId: '0x2', traceparent: 'c' }])
    expect(await taskTraces.find(['0x2', '0x3'])).toEqual([{ taskId: '0x2', traceparent: 'c' }])
    expect(await taskTraces.find([])).toEqual([])
  })

  it('are removed after a time', async () => {
    const { taskTraces } = store
    await taskTraces.put([{ taskId: '0x1', traceparent: 'a' }])
    await taskTraces.removeOlderThan(60_000)
    expect(await taskTraces.find(['0x1'])).toHaveLength(1)
    await pause(20)
    await taskTraces.removeOlderThan(1)
    expect(await taskTraces.find(['0x1'])).toEqual([])
  })
})
