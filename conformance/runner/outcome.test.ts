import { describe, expect, test } from 'vitest'
import { NotInTime, TooLate, Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import { execute } from './execute.fixture.ts'

describe('what did not come in time', () => {
  const late = {
    run: async () => {
      throw new NotInTime('the number of deliveries is wrong', { expected: '1', observed: '0' })
    },
  }
  const wrong = { run: async () => expectEqual(1, 2, 'the number of deliveries') }
  // The suite itself may be late here.
  const loop = { lateBy: () => 0, stalled: () => 0 }
  const busy = () => 'the load of this machine was 9.0 on 2 processors'

  test('is a failure', async () => {
    const { verdict, overload } = await execute(late, { overloaded: () => undefined, loop })
    expect([verdict, overload]).toEqual(['failed', undefined])
  })
  test('proves nothing on an overloaded machine', async () => {
    const { verdict, reason, overload } = await execute(late, { overloaded: busy })
    expect([verdict, overload]).toEqual(['untestable', busy()])
    expect(reason).toBe(`the number of deliveries is wrong, which proves nothing: ${busy()}`)
  })
  test('is no failure where the suite itself was too late, and the check may run again', async () => {
    const run = async () => {
      throw new TooLate('the task ended before it was sent again')
    }
    const { verdict, overload } = await execute({ run }, { overloaded: () => undefined, loop })
    expect([verdict, overload]).toEqual(['untestable', 'the task ended before it was sent again'])
  })
  test('but a wrong answer is one there too', async () => {
    expect((await execute(wrong, { overloaded: busy })).verdict).toBe('failed')
  })
})

describe('a cleanup that fails', () => {
  const brokenCleanup = (main: () => Promise<void>) => ({
    run: async (t: CheckContext) => {
      try {
        await main()
      } finally {
        await t.cleanup(async () => expectEqual(503, 200, 'the status of the cleanup'))
      }
    },
  })

  test('is the outcome of a check that has no other failure', async () => {
    const { verdict, reason } = await execute(brokenCleanup(async () => undefined))
    expect([verdict, reason]).toEqual(['failed', 'the status of the cleanup is wrong'])
  })
  test('is an observation beside the failure of the check', async () => {
    const main = async () => expectEqual(1, 2, 'the number')
    const { verdict, reason, observations } = await execute(brokenCleanup(main))
    expect([verdict, reason]).toEqual(['failed', 'the number is wrong'])
    expect(observations).toEqual([
      expect.stringContaining('the cleanup failed too: the status of the cleanup is wrong'),
    ])
  })
  test('does not turn a check that is untestable into a failed one', async () => {
    const main = async () => {
      throw new Untestable('no chain')
    }
    const { verdict, reason } = await execute(brokenCleanup(main))
    expect([verdict, reason]).toEqual(['untestable', 'no chain'])
  })
})
