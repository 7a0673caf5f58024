import { expect, it, vi } from 'vitest'
import { createJoinedReads } from './joinedReads.ts'

/** A node whose answers the test gives. */
function node() {
  const asked: { answer: (value: string) => void; fail: (error: Error) => void }[] = []
  const read = vi.fn(
    () =>
      new Promise<string>((answer, fail) => {
        asked.push({ answer, fail })
      }),
  )
  return { asked, read }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('shares a read that is not sent yet, and no other', async () => {
  const join = createJoinedReads()
  const { asked, read } = node()
  const first = join('x', read)
  await turn()
  const later = Array.from({ length: 5 }, () => join('x', read))
  await turn()
  expect(read).toHaveBeenCalledTimes(1)
  asked[0]!.answer('old')
  expect(await first).toBe('old')
  await expect.poll(() => asked).toHaveLength(2)
  asked[1]!.answer('new')
  expect(await Promise.all(later)).toEqual(Array(5).fill('new'))
})

it('keeps keys apart', async () => {
  const join = createJoinedReads()
  const { asked, read } = node()
  const both = Promise.all([join('x', read), join('y', read)])
  await turn()
  expect(read).toHaveBeenCalledTimes(2)
  asked[1]!.answer('y')
  asked[0]!.answer('x')
  expect(await both).toEqual(['x', 'y'])
})

it('rejects those who share a read that fails, and reads again for the next', async () => {
  const join = createJoinedReads()
  const { asked, read } = node()
  const sharing = Promise.allSettled([join('x', read), join('x', read)])
  await turn()
  asked[0]!.fail(new Error('node is down'))
  for (const each of await sharing) expect(each).toMatchObject({ status: 'rejected' })
  const again = join('x', read)
  await expect.poll(() => asked).toHaveLength(2)
  asked[1]!.answer('up')
  expect(await again).toBe('up')
})

it('does not wait for a read that hangs', async () => {
  const join = createJoinedReads()
  const { asked, read } = node()
  void join('x', read)
  await turn()
  const next = join('x', read)
  await expect.poll(() => asked).toHaveLength(2)
  asked[1]!.answer('here')
  expect(await next).toBe('here')
})

it('sends few reads for many callers, however fast the node answers', async () => {
  const join = createJoinedReads()
  const read = vi.fn(turn)
  const since = performance.now()
  const callers = Array.from({ length: 20 }, async (_, caller) => {
    for (let at = 0; at < caller; at += 1) await turn()
    for (let at = 0; at < 10; at += 1) await join('x', read)
  })
  await Promise.all(callers)
  const elapsed = performance.now() - since
  // 200 calls; the first read has one caller, and the one after it need not wait.
  expect(read.mock.calls.length).toBeLessThanOrEqual(elapsed / 3 + 3)
})

it('sends the reads of a single caller at once', async () => {
  const join = createJoinedReads()
  const read = vi.fn(turn)
  for (let at = 0; at < 50; at += 1) {
    const reading = join('x', read)
    await turn()
    expect(read).toHaveBeenCalledTimes(at + 1)
    await reading
  }
})
