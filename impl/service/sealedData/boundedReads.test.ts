import { expect, it } from 'vitest'
import { boundedReads } from './boundedReads.ts'

/** A read that ends when the test says so. */
function held() {
  let end = () => {}
  let fail = (_: Error) => {}
  let begun = false
  const answer = new Promise<void>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  const ask = () => {
    begun = true
    return answer
  }
  return { ask, end: () => end(), fail: (error: Error) => fail(error), begun: () => begun }
}

it('runs a number of reads concurrently, queues as many in order, and rejects more', async () => {
  const read = boundedReads(2)
  const reads = Array.from({ length: 4 }, held)
  const running = reads.map(({ ask }) => read(ask))
  await Promise.resolve()
  expect(reads.map(({ begun }) => begun())).toEqual([true, true, false, false])
  await expect(read(async () => 'never asked')).rejects.toMatchObject({
    name: 'ChainReadError',
    code: 'unreachable',
    message: 'Contract read failed: too many reads are waiting for the node',
  })

  reads[1]!.fail(new Error('gone'))
  await expect(running[1]).rejects.toThrow('gone')
  await Promise.resolve()
  expect(reads.map(({ begun }) => begun())).toEqual([true, true, true, false])
  for (const { end } of reads) end()
  await Promise.all([running[0], running[2], running[3]])

  // All slots are free again.
  const again = Array.from({ length: 2 }, held)
  const both = again.map(({ ask }) => read(ask))
  await Promise.resolve()
  expect(again.map(({ begun }) => begun())).toEqual([true, true])
  for (const { end } of again) end()
  await Promise.all(both)
  expect(await read(async () => 'answer')).toBe('answer')
})
