import type { PolicyDescriber } from 'polgate-service/explorer/policyDescriber.ts'
import { emptyNetwork } from 'polgate-service/explorer/rest/explorerApp.ts'
import { expect, it } from 'vitest'
import { onFirstUse } from './onFirstUse.ts'

const complete = { contents: {} as never, complete: true }

it('reads contents on the first request for policies, not for tasks', async () => {
  const contents = onFirstUse()
  const looked: unknown[] = []
  const describer: PolicyDescriber = contents.describer({
    describe: async (info) => {
      looked.push(info)
      return complete
    },
    close: async () => {},
  })
  const queries = contents.queries(emptyNetwork)
  const { signal } = new AbortController()
  const first = describer.describe({ policy: 1 }, signal)
  await queries.tasks(1, { page: 1, size: 1 })
  await queries.stats(1, { tasks: { start: new Date(0) }, policies: {} })
  expect(looked).toEqual([])
  expect(await queries.policy(1, '0x')).toBeUndefined()
  expect(await first).toBe(complete)
  await describer.describe({ policy: 2 }, signal)
  expect(looked).toEqual([{ policy: 1 }, { policy: 2 }])
})

it('stops waiting when its caller aborts', async () => {
  const ending = new AbortController()
  const describer = onFirstUse().describer({
    describe: () => Promise.reject(new Error('was read')),
    close: async () => {},
  })
  const waiting = describer.describe({}, ending.signal)
  ending.abort(new Error('ended'))
  await expect(waiting).rejects.toThrow('ended')
})
