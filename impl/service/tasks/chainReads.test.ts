import { expect, it } from 'vitest'
import { createChainReads } from './chainReads.ts'
import type { Ownership, TaskChain } from './taskChain.ts'

/** A chain whose reads are answered under control of the test. */
function hangingChain() {
  const answers: (() => void)[] = []
  const owner = () =>
    new Promise<Ownership>((resolve) => {
      answers.push(() => resolve({ owner: `0x${'ab'.repeat(20)}`, block: 7 }))
    })
  return { answers, chain: { chainId: 1, owner } as unknown as TaskChain }
}
const client = `0x${'cd'.repeat(20)}` as const

it('bounds the reads in flight on a node that does not answer', async () => {
  const { answers, chain } = hangingChain()
  const reads = createChainReads(chain)
  const callers = Array.from({ length: 200 }, () => new AbortController())
  const gaveUp = callers.map(({ signal }) =>
    reads
      .within(signal)
      .owner(client)
      .catch((error: Error) => error.message),
  )
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(answers).toHaveLength(64)
  for (const caller of callers) caller.abort(new Error('too late'))
  expect(new Set(await Promise.all(gaveUp))).toEqual(new Set(['too late']))
  // Aborted reads still count as in flight; new reads wait for a slot.
  expect(reads.underWay).toBe(64)
  const next = reads.within(new AbortController().signal).owner(client)
  for (const answer of answers.splice(0)) answer()
  await new Promise((resolve) => setTimeout(resolve, 5))
  for (const answer of answers.splice(0)) answer()
  expect(await next).toEqual({ owner: `0x${'ab'.repeat(20)}`, block: 7 })
  expect(reads.underWay).toBe(0)
})
