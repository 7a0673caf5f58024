import { openTestStore } from 'polgate-service/store/testing/openTestStore.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabaseCopies } from './databaseCopies.ts'

it('a copy has the rows of its time, and no lease of a process that has ended since', async () => {
  const { database, leases, close } = await openTestStore()
  onTestFinished(close)
  const copies = createDatabaseCopies(database)
  const points = () => database.query('select key, points from rate_limits order by key')
  const setPoints = (key: string) =>
    database.query('insert into rate_limits (key, points) values ($1, 1)', [key])
  await setPoints('before')
  const before = await points()
  await leases.take('poster/1', 'the process before', 3_600_000)
  await copies.take('snapshot_1')
  await setPoints('after')
  await leases.take('gateway/1', 'another process', 3_600_000)

  await copies.restore('snapshot_1')
  expect(await points()).toEqual(before)
  for (const name of ['poster/1', 'gateway/1'])
    expect(await leases.take(name, 'the process after', 1_000)).toBe(true)
})
