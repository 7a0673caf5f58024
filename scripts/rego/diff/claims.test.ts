import { expect, test } from 'vitest'
import { type Answer, agree, valueAnswer } from './answers.ts'
import { caseOf } from './cases.ts'
import { listingOf } from './classify.ts'
import { featuresOf } from './features.ts'
import { Here, PROFILE_OF } from './here.ts'
import { sameButEmptyHeads } from './structure.ts'

const PROGRAMS = 1_000
/** Of all wrong answers: an entry is about few programs, and about few of their answers. */
const MOST = 0.03

type Json = Readonly<Record<string, unknown>>

/** Answers that lack a member, or have another value for one. */
function* wrongAnswers(right: Json): Generator<Answer> {
  for (const [name, value] of Object.entries(right)) {
    const { [name]: _, ...rest } = right
    yield valueAnswer(JSON.stringify(rest))
    yield valueAnswer(JSON.stringify({ ...right, [name]: value === 5 ? 6 : 5 }))
  }
}

test.each(['opa', 'regorus'] as const)(
  'no entry about %s takes wrong answers to generated programs for its own',
  (peer) => {
    const here = new Here(PROFILE_OF[peer])
    const claims = new Map<string, number>()
    let asked = 0
    for (let i = 0; i < PROGRAMS; i++) {
      const { program, peers } = caseOf(1, i)
      // What remains of a program when it is shrunk.
      if (!peers.includes(peer) || featuresOf(program).rules > 3) continue
      const ours = here.answer(program)
      if (ours.kind !== 'value' || !ours.text.startsWith('{')) continue
      for (const theirs of wrongAnswers(JSON.parse(ours.text) as Json)) {
        if (agree(peer, ours, theirs) || sameButEmptyHeads(program, ours, theirs)) continue
        asked += 1
        const listing = listingOf({ peer, program, ours, theirs })
        if (listing !== undefined) claims.set(listing.id, (claims.get(listing.id) ?? 0) + 1)
      }
    }
    expect(asked).toBeGreaterThan(500)
    const excessive = [...claims].filter(([, times]) => times > MOST * asked)
    expect(excessive.map(([id, times]) => `${id}: ${times} of ${asked}`)).toEqual([])
  },
)
