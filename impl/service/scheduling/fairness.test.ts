import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createComputeQueue } from './computeQueue.ts'
import { createEventLoopLoad } from './eventLoopLoad.ts'
import { createStartScheduler } from './startScheduler.ts'

/** A simulated event loop with a settable clock. */
function loop() {
  let time = 0
  let computed = 0
  let waiting: (() => void)[] = []
  return {
    now: () => time,
    cpu: () => computed,
    spend: (ms: number) => {
      time += ms
    },
    nextTurn: (go: () => void) => void waiting.push(go),
    /** One iteration of `ms`, of which the thread of the loop computes `cpuMs`. */
    async turn(ms = 0, cpuMs = ms) {
      time += ms
      computed += cpuMs
      const due = waiting
      waiting = []
      for (const go of due) go()
      for (let n = 0; n < 20; n++) await undefined
    },
  }
}

describe('computation on the main thread', () => {
  const open = (freeTurns = 1) => {
    const { nextTurn, ...rest } = loop()
    const queue = createComputeQueue({
      nextTurn: () => new Promise((resolve) => nextTurn(resolve)),
      now: rest.now,
      budgetMs: 4,
      freeTurns,
    })
    return { queue, ...rest }
  }

  it('runs in portions, with owners taking turns (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'a', 'a', 'b', 'c'), { minLength: 1, maxLength: 40 }),
        async (owners) => {
          const { queue, turn, spend } = open()
          const done: string[] = []
          const all = owners.map((owner) =>
            queue.run(owner, () => {
              spend(2)
              return done.push(owner)
            }),
          )
          for (let turns = 1; done.length < owners.length; turns++) {
            await turn()
            expect(done.length).toBeLessThanOrEqual(2 * turns)
          }
          await Promise.all(all)
          // No owner is served a second time before every other owner has been served once.
          const rounds = new Set(owners).size
          expect(new Set(done.slice(0, rounds)).size).toBe(rounds)
        },
      ),
    )
  })

  it('leaves free iterations between the portions, and reports errors', async () => {
    const { queue, turn, spend } = open(3)
    const failing = queue.run('a', () => {
      spend(5)
      throw new Error('broken')
    })
    let ended = false
    const next = queue.run('a', () => {
      ended = true
    })
    for (let n = 0; n < 3; n++) await turn()
    await expect(failing).rejects.toThrow('broken')
    for (let n = 0; n < 2; n++) await turn()
    expect(ended).toBe(false)
    await turn()
    await next
    expect(ended).toBe(true)
  })

  it('of several steps continues within one iteration up to the budget', async () => {
    const { queue, turn } = open()
    let steps = 0
    const work = (async () => {
      while (steps < 5) await queue.run('a', () => ++steps)
    })()
    await turn()
    expect(steps).toBe(5)
    await work
  })
})

describe('the load of the event loop', () => {
  const open = () => {
    const { turn, ...rest } = loop()
    return { pace: createEventLoopLoad({ ...rest, quickMs: 10, mostMs: 100 }), turn }
  }

  it('waits for a quick iteration, up to a limit', async () => {
    const { pace, turn } = open()
    let gone = 0
    pace.next(() => gone++)
    await turn(50)
    expect(gone).toBe(0)
    await turn(30)
    expect(gone).toBe(0)
    await turn(3)
    expect(gone).toBe(1)
    pace.next(() => gone++)
    for (let n = 0; n < 3; n++) await turn(40)
    expect(gone).toBe(2)
  })

  it('does not wait for a machine that others keep busy', async () => {
    const { pace, turn } = open()
    let gone = 0
    pace.next(() => gone++)
    await turn(50, 20)
    await turn(50, 2)
    expect(gone).toBe(1)
  })

  it('starts as much of a burst on a busy machine as on a free one (property)', async () => {
    const started = async (turns: readonly number[], stolen: (at: number) => number) => {
      const { pace, turn } = open()
      const starts = createStartScheduler({ pace, perOwner: 1_000, inAll: 1_000 })
      let count = 0
      for (let n = 0; n < 500; n++) void starts.turn('a').then(() => count++)
      for (const [at, cpuMs] of turns.entries()) await turn(cpuMs + stolen(at), cpuMs)
      return count
    }
    const quick = fc.double({ min: 0, max: 9, noNaN: true })
    await fc.assert(
      fc.asyncProperty(
        fc.array(quick, { minLength: 1, maxLength: 60 }),
        fc.infiniteStream(fc.double({ min: 0, max: 500, noNaN: true })),
        async (turns, others) => {
          const alone = await started(turns, () => 0)
          expect(await started(turns, () => others.next().value)).toBe(alone)
        },
      ),
    )
  })

  it('starts work one by one, keys in turn, and limits each key', async () => {
    const { pace, turn } = open()
    const starts = createStartScheduler({ pace, perOwner: 50, inAll: 100 })
    const order: string[] = []
    const ask = (owner: string) =>
      starts.turn(owner).then((may) => order.push(may ? owner : `${owner} refused`))
    const all = [...Array.from({ length: 60 }, () => ask('a')), ask('b'), ask('c')]
    await turn()
    expect(order).toEqual(Array(10).fill('a refused'))
    for (let n = 0; n < 12; n++) await turn(1)
    expect(order.slice(10, 13)).toEqual(['a', 'b', 'c'])
    for (let n = 0; n < 120; n++) await turn(1)
    await Promise.all(all)
    expect(order.filter((each) => each === 'a')).toHaveLength(50)
  })
})
