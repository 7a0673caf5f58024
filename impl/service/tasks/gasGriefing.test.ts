import fc from 'fast-check'
import { ChainWriteError } from 'polgate-chain/errors.ts'
import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GriefedWorld, startGriefedWorld } from './griefedWorld.fixture.ts'
import type { Behaviour } from './hostilePolicyData.fixture.ts'
import { postAnswers } from './postAnswers.ts'

/** A PolicyData that accepts in simulations and burns gas in transactions (decision T10). */

let griefed: GriefedWorld
beforeAll(async () => {
  griefed = await startGriefedWorld()
}, 120_000)
afterAll(() => griefed.world.stop())
const resultOf = (behaviour?: Behaviour) => griefed.resultOf(behaviour)

/** What rejects or burns in transactions, but not in simulations. */
const burning: readonly Behaviour[] = [
  'burnsAllGas',
  'burnsMoreThanItsShare',
  'reverts',
  'revertsWithMuchData',
  'returnsFalse',
]
const innocent: readonly Behaviour[] = ['accepts', 'returnsMuchData']

/** Posts results; returns how each ended and with how many transactions. */
async function post(
  answers: readonly OnChainAnswer[],
  transactor: Transactor = griefed.world.transactor,
) {
  const { chain, sent } = griefed
  const before = await sent()
  const ends = await postAnswers(transactor, chain(), answers)
  const codes = ends.map((end) =>
    end.status === 'fulfilled'
      ? 'posted'
      : end.reason instanceof ChainWriteError
        ? end.reason.code
        : String(end.reason),
  )
  return { codes, transactions: (await sent()) - before }
}

describe('a PolicyData that burns gas in transactions only', () => {
  it.each(burning)('fails alone where it %s, and costs the other results nothing', async (how) => {
    const answers = await Promise.all([
      ...[undefined, undefined, undefined].map(resultOf),
      resultOf(how),
      ...Array.from({ length: 12 }, () => resultOf(undefined)),
    ])
    const { codes, transactions } = await post(answers)
    expect(transactions).toBe(1)
    expect(codes).toEqual(answers.map((_, at) => (at === 3 ? 'gas-burnt' : 'posted')))
    for (const [at, answer] of answers.entries())
      expect(await griefed.isResponded(answer)).toBe(at !== 3)
  })

  it('costs one transaction when it is posted alone', async () => {
    const { codes, transactions } = await post([await resultOf('burnsAllGas')])
    expect(codes).toEqual(['gas-burnt'])
    expect(transactions).toBe(1)
  })

  it('is not sent at all where the simulation shows it', async () => {
    const answers = await Promise.all([resultOf('alwaysReverts'), resultOf('alwaysBurns')])
    expect(await post(answers)).toEqual({ codes: ['reverted', 'reverted'], transactions: 0 })
  })

  it('is posted in a block in which it behaves', async () => {
    const { transactor } = griefed.world
    const { client, account } = transactor
    const answer = await resultOf('burnsInEvenBlocks')
    // It is posted in the block after the latest, which is to be an odd one.
    if ((await client.getBlockNumber()) % 2n === 1n) await transactor.transfer(account.address, 0n)
    expect((await post([answer])).codes).toEqual(['posted'])
    const next = await resultOf('burnsInEvenBlocks')
    expect((await post([next])).codes).toEqual(['gas-burnt'])
    expect((await post([next])).codes).toEqual(['posted'])
  })
})

describe('a task manager without limits of gas', () => {
  it('has only results with the same PolicyData in one transaction', async () => {
    const answers = await Promise.all([
      resultOf(undefined),
      resultOf('burnsAllGas'),
      resultOf(undefined),
      resultOf('burnsAllGas'),
      resultOf('accepts'),
      resultOf(undefined),
    ])
    const { codes, transactions } = await post(answers, withoutLimits(griefed.world.transactor))
    expect(codes).toEqual(['posted', 'gas-burnt', 'posted', 'gas-burnt', 'posted', 'posted'])
    expect(transactions).toBe(3)
  })
})

/** Has the calls that limit gas reach a contract without that function. */
function withoutLimits(transactor: Transactor): Transactor {
  return {
    ...transactor,
    simulate: (call) =>
      transactor.simulate(
        (call.functionName as string) === 'boundedMulticall'
          ? { ...call, address: griefed.world.protocol.operatorRegistry }
          : call,
      ),
  }
}

it('posts every innocent result of any batch, with a bounded number of transactions', async () => {
  const members = fc.array(fc.constantFrom(...innocent, ...burning, 'alwaysReverts' as const), {
    minLength: 1,
    maxLength: 16,
  })
  await fc.assert(
    fc.asyncProperty(members, async (batch) => {
      const answers = await Promise.all(batch.map(resultOf))
      const { codes, transactions } = await post(answers)
      expect(codes).toEqual(
        batch.map((how) => {
          if (innocent.includes(how)) return 'posted'
          return how === 'alwaysReverts' ? 'reverted' : 'gas-burnt'
        }),
      )
      expect(transactions).toBeLessThanOrEqual(1)
    }),
    { numRuns: 12 },
  )
}, 120_000)
