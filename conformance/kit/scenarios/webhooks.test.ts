import { expect, test } from 'vitest'
import { ConformanceError, NotInTime } from '../../core/conformanceError.ts'
import { type Box, expectSilence } from './webhooks.ts'

/** A mailbox with deliveries of which the gateway gave up these. */
function boxWith(gaveUp: readonly boolean[]): Box {
  const deliveries = gaveUp.map((each) => ({
    ...{ body: Buffer.from('{}'), gaveUpAt: each ? 7 : undefined },
  }))
  return { deliveries, wait: async () => true } as unknown as Box
}

test('no further delivery is silence', async () => {
  await expectSilence(boxWith([false, false]), 2)
  await expectSilence(boxWith([true, false]), 2)
  await expectSilence(boxWith([false, true]), 2)
})

test('a delivery after an answered one is wrong', async () => {
  for (const before of [
    [false, false],
    [true, false],
  ]) {
    const failure = expectSilence(boxWith([...before, false]), 2)
    await expect(failure).rejects.toThrow('the number of deliveries')
    await expect(failure).rejects.not.toBeInstanceOf(NotInTime)
    await expect(failure).rejects.toBeInstanceOf(ConformanceError)
  }
})

test('one after a response that came too late is not', async () => {
  const failure = expectSilence(boxWith([false, true, false]), 2)
  await expect(failure).rejects.toBeInstanceOf(NotInTime)
})
