import type { Address } from 'polgate-protocol/scalars.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Store } from '../store/openStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import type { PolicyContents, PolicyDescriber } from './policyDescriber.ts'
import { createPolicyDescriptions, type PolicyDescriptions } from './policyDescriptions.ts'

let chainId = 0
let now = Date.parse('2026-01-01T00:00:00Z')
let store: Store
let closing: AbortController
const open: PolicyDescriptions[] = []

beforeAll(async () => {
  store = await openTestStore({ clock: () => now })
})
beforeEach(() => {
  chainId += 1
  closing = new AbortController()
})
afterEach(async () => {
  closing.abort(new Error('closing'))
  await Promise.all(open.splice(0).map((each) => each.close()))
})
afterAll(() => store.close())

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

/** Policies deployed in one block. */
async function deploy(block: number, count: number, version = '1.0.0'): Promise<void> {
  const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const
  await store.explorer.append(chainId, {
    from: block,
    to: block,
    blocks: [{ number: block, hash: hash(block), timestamp: block }],
    events: Array.from({ length: count }, (_, at) => ({
      kind: 'policyDeployed',
      blockNumber: block,
      logIndex: at,
      transactionHash: hash(at),
      policy: addressOf(1_000 * block + at),
      info: { metadata_cid: `${at}`, version },
    })),
  })
}

const contentsOf = (name: string): PolicyContents => ({
  name,
  version: '1.0.0',
  author: null,
  description: null,
  verified: true,
})

function start(describe: PolicyDescriber['describe']) {
  const warn = vi.fn()
  const descriptions = createPolicyDescriptions({
    index: store.explorer,
    chainId,
    describer: { describe, close: async () => {} },
    alone: (write) => write(),
    clock: () => now,
    log: { info: () => {}, warn },
    signal: closing.signal,
  })
  open.push(descriptions)
  descriptions.wake()
  return { descriptions, warn }
}

async function names() {
  const { results } = await store.explorer.policies(chainId, { page: 1, size: 100 })
  return results.map(({ name }) => name)
}

it('describes all undescribed policies, however many', async () => {
  await deploy(1, 40)
  start(async (info) => ({ contents: contentsOf(`${info.metadata_cid}`), complete: true }))
  const all = Array.from({ length: 40 }, (_, at) => `${39 - at}`)
  await eventually(async () => expect(await names()).toEqual(all))
  expect(await store.explorer.undescribedPolicies(chainId, 10)).toEqual([])
})

it('retries unavailable contents with increasing delays', async () => {
  await deploy(1, 1)
  const times: number[] = []
  let there = false
  const { descriptions } = start(async () => {
    times.push(now)
    return { contents: contentsOf('late'), complete: there }
  })
  for (const attempts of [1, 2, 3, 4]) {
    await eventually(() => expect(times).toHaveLength(attempts))
    // The retry has been stored by now.
    await eventually(async () =>
      expect(await store.explorer.undescribedPolicies(chainId, 1)).toEqual([]),
    )
    there = attempts === 3
    now += 10_000 * 2 ** (attempts - 1)
    descriptions.wake()
  }
  await eventually(async () => expect(await names()).toEqual(['late']))
  expect(times.map((time) => (time - (times[0] ?? 0)) / 10_000)).toEqual([0, 1, 3, 7])
})

it('does not give a policy the description of an earlier one at its address', async () => {
  await deploy(1, 1, '1.0.0')
  let goOn = (): void => {}
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const looked: unknown[] = []
  start(async ({ version }) => {
    looked.push(version)
    if (version === '1.0.0') await waiting
    return { contents: contentsOf(`of ${version}`), complete: true }
  })
  await eventually(() => expect(looked).toEqual(['1.0.0']))
  await store.explorer.rollBack(chainId, 1)
  await deploy(1, 1, '2.0.0')
  goOn()
  open[0]?.wake()
  await eventually(async () => expect(await names()).toEqual(['of 2.0.0']))
})

it('continues after a failed check, and ends with the signal', async () => {
  await deploy(1, 1)
  let fails = true
  const { descriptions, warn } = start(async () => {
    if (fails) throw new Error('out of order')
    return { contents: contentsOf('there'), complete: true }
  })
  await eventually(() => expect(warn).toHaveBeenCalled())
  expect(warn.mock.calls[0]?.[0]).toEqual({ chainId, problem: 'out of order' })
  fails = false
  descriptions.wake()
  await eventually(async () => expect(await names()).toEqual(['there']))
})
