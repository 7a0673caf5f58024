import type { Address } from 'polgate-protocol/scalars.ts'
import { expect, it } from 'vitest'
import { createObservationCache } from './observationCache.ts'
import type { SignRequest } from './operator.ts'

const policyClient: Address = `0x${'c1'.repeat(20)}`
const policyDataAddress: Address = `0x${'d1'.repeat(20)}`

const observed = (requester: string | undefined, referenceBlock = 7) => ({
  ...{ policyClient, referenceBlock, requester },
  sources: [{ policyDataAddress, wasmArgs: '0x' as const }],
})

/** The members of a request that the cache reads. */
const toSign = (requester: string | undefined, output: string) =>
  ({
    draft: { policyClient, policyTaskData: { policyData: observed(requester).sources } },
    evaluation: { data: [output] },
    ...{ referenceBlock: 7, requester, nonce: 0 },
  }) as unknown as SignRequest

const output = (mark: string) => JSON.stringify({ mark })

it('confirms what was observed for the requester, and nothing else', () => {
  const cache = createObservationCache()
  cache.remember(observed('victim'), [output('own')])
  expect(cache.confirms(toSign('victim', output('own')))).toBe(true)
  expect(cache.confirms(toSign('victim', output('another')))).toBe(false)
  expect(cache.confirms(toSign('stranger', output('own')))).toBe(false)
})

it('keeps an observation however many tasks of others have the same client, block and arguments', () => {
  const cache = createObservationCache()
  cache.remember(observed('victim'), [output('own')])
  for (let n = 0; n < 1_000; n++) cache.remember(observed('stranger'), [output(`${n}`)])
  expect(cache.confirms(toSign('victim', output('own')))).toBe(true)
  expect(cache.confirms(toSign('stranger', output('0')))).toBe(false)
})

it('keeps an observation however many other observations others have', () => {
  const cache = createObservationCache(20)
  cache.remember(observed('victim'), [output('own')])
  for (let n = 0; n < 1_000; n++) cache.remember(observed(`stranger ${n % 3}`, n), [output('any')])
  expect(cache.confirms(toSign('victim', output('own')))).toBe(true)
})

it('drops the oldest of the requester with most observations', () => {
  const cache = createObservationCache(3)
  for (const block of [7, 8, 9, 10]) cache.remember(observed('one', block), [output('own')])
  expect(cache.confirms(toSign('one', output('own')))).toBe(false)
  const later = { ...toSign('one', output('own')), referenceBlock: 8 }
  expect(cache.confirms(later)).toBe(true)
})

it('confirms requests of gateways that do not name the requester', () => {
  const cache = createObservationCache()
  cache.remember(observed(undefined), [output('own')])
  expect(cache.confirms(toSign(undefined, output('own')))).toBe(true)
})
