import { describe, expect, it } from 'vitest'
import { hexOf } from './group.ts'
import { groupOf, makeKey } from './keyGeneration.fixture.ts'
import { complaint } from './messages.ts'
import { sessionOf } from './roster.ts'
import { type Signed, signMessage } from './signed.ts'

describe('a dishonest relay', () => {
  const names = ['commit', 'offer', 'deal', 'check', 'answer', 'finish'] as const
  it.each(names)('cannot change the messages of step %s', async (step) => {
    const group = groupOf(3, 2)
    const relay = (at: string, messages: readonly Signed[], to: number) =>
      at === step && to === 1
        ? messages.map((one, by) => (by === 1 ? { ...one, body: `${one.body} ` } : one))
        : messages
    await expect(makeKey(group, { relay })).rejects.toMatchObject({
      code: 'dealer',
      message: expect.stringContaining(`${group.identities[1]!.address} sent a message`),
    })
  })

  it('cannot omit or swap messages', async () => {
    const group = groupOf(3, 2)
    await expect(
      makeKey(group, { relay: (at, all) => (at === 'deal' ? all.slice(1) : all) }),
    ).rejects.toMatchObject({ code: 'run' })
    await expect(
      makeKey(group, { relay: (at, all) => (at === 'deal' ? [...all].reverse() : all) }),
    ).rejects.toMatchObject({ code: 'dealer' })
  })

  it('cannot send two members different complaints of a colluding member', async () => {
    const group = groupOf(4, 2)
    const { digest } = group.session
    const other = signMessage(complaint, digest, { dealers: [2] }, group.identities[3]!)
    const relay = (at: string, messages: readonly Signed[], to: number) =>
      at === 'check' && to === 1 ? messages.with(3, other) : messages
    await expect(makeKey(group, { relay })).rejects.toMatchObject({
      code: 'run',
      message: expect.stringContaining('saw a different run'),
    })
  })

  it('cannot replay messages of another session', async () => {
    const group = groupOf(3, 2)
    const taken: Signed[][] = []
    await makeKey(group, {
      relay: (step, all) => {
        if (step === 'commit' || step === 'offer') taken.push([...all])
        return all
      },
    })
    const next = { ...group, session: sessionOf('ab'.repeat(32), group.roster) }
    await expect(
      makeKey(next, { relay: (at, all) => (at === 'commit' ? taken[0]! : all) }),
    ).rejects.toMatchObject({ code: 'dealer' })
  })

  it('learns no share', async () => {
    const group = groupOf(3, 2)
    const seen: string[] = []
    const { shares } = await makeKey(group, {
      relay: (_, all) => {
        seen.push(...all.map(({ body }) => body))
        return all
      },
    })
    const all = seen.join()
    for (const { share } of shares) expect(all).not.toContain(hexOf(share))
  })
})
