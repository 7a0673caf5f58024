import { overclaimingTarget } from 'polgate-self-test/nullTargets.ts'
import { expect, test } from 'vitest'
import { ownership } from '../../checks/7.3-ownership.ts'
import { execute } from '../../runner/execute.fixture.ts'

const check = ownership.find(({ id }) => id === 'rpc.simulatePolicy.secrets.missing')!

/** A gateway that evaluates every simulation, whichever client it names, with this oracle output. */
const evaluating = (feed: object) =>
  (async (_: string, { body }: RequestInit) => {
    const { id } = JSON.parse(String(body))
    const result = {
      success: true,
      evaluation_result: { result: true },
      policy_data: { data: { price_feed: feed } },
    }
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }) as typeof fetch

const target = overclaimingTarget('http://gateway.invalid')
/** Without the key of an owner nothing can be deployed. */
const undeployable = { ...target, accounts: { ...target.accounts, owner: undefined } }

test('secrets that another user stored for a shared client make the check untestable', async () => {
  const { verdict, reason } = await execute(check, {
    target: undeployable as unknown as typeof target,
    fetch: evaluating({ symbol: 'ETH', price: 2000 }),
  })
  expect(verdict).toBe('untestable')
  expect(reason).toContain('another user of the target has stored secrets for policy client 0x')
  expect(reason).toContain('owner:')
})

test('a gateway that runs an oracle without its secrets still fails', async () => {
  const { verdict, reason } = await execute(check, {
    target: undeployable as unknown as typeof target,
    fetch: evaluating({ error: 'no secrets' }),
  })
  expect([verdict, reason]).toEqual(['failed', 'the operation did not fail'])
})
