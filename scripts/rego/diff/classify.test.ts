import { differences } from 'polgate-rego/differences/catalogue.ts'
import type { Difference } from 'polgate-rego/differences/difference.ts'
import { expect, test } from 'vitest'
import { type Answer, agree, type PeerName, valueAnswer } from './answers.ts'
import { answersOf, listedAs, programOf, rules } from './classify.ts'
import type { Found } from './engines.ts'
import { featuresOf } from './features.ts'
import { LANGUAGE_MATCHERS } from './languageMatchers.ts'
import { MATCHERS } from './matchers.ts'

const PEERS: readonly PeerName[] = ['opa', 'regorus']

function answer(text: string): Answer {
  if (text === 'undefined') return { kind: 'undefined' }
  if (/^(error|\w+_error)$/.test(text)) return { kind: 'error', codes: [text], message: '' }
  return valueAnswer(text)
}

/** The difference from a peer that an entry describes. */
function foundIn(entry: Difference, peer: PeerName): Found | undefined {
  const { ours, theirs } = answersOf(entry, peer)
  if (theirs === undefined) return undefined
  const found = { peer, program: programOf(entry), ours: answer(ours), theirs: answer(theirs) }
  return agree(peer, found.ours, found.theirs) ? undefined : found
}

const program = (source: string) => ({
  modules: [{ name: 'test.rego', source: `package test\n\n${source}` }],
  query: 'data.test.p',
  strict: false,
})

test('every matcher belongs to an entry of the page', () => {
  const ids = new Set(differences.map(({ id }) => id))
  const named = Object.keys({ ...MATCHERS, ...LANGUAGE_MATCHERS })
  expect(named.filter((id) => !ids.has(id))).toEqual([])
})

/** Programs that no entry is about, with answers that differ. */
const UNLISTED: readonly (readonly [string, string, string])[] = [
  ['p := lower("A")', '"a"', '"A"'],
  ['p := concat(",", ["a", "b"])', '"a,b"', '"ab"'],
  ['p := x if {\n\tx := 1\n}', '1', 'undefined'],
  ['p := [x | some x in [1, 2]]', '[1,2]', '[2,1]'],
  ['p if {\n\tevery x in [1] { x == 2 }\n}', 'undefined', 'true'],
  ['p := 1', '1', 'eval_conflict_error'],
  ['p := object.get({"a": 1}, "a", 2)', '1', '2'],
]

test.each(UNLISTED)('no entry matches another answer of opa to %s', (source, ours, theirs) => {
  const found = { program: program(source), ours: answer(ours), theirs: answer(theirs) }
  expect(listedAs({ ...found, peer: 'opa' })).toBeUndefined()
})

test('no matcher matches most of the other entries', () => {
  const found = differences.flatMap((entry) =>
    PEERS.flatMap((peer) => {
      const one = foundIn(entry, peer)
      return one === undefined ? [] : [{ id: entry.id, one, features: featuresOf(one.program) }]
    }),
  )
  for (const { id, matches } of rules()) {
    const others = found.filter((each) => each.id !== id && matches(each.one, each.features))
    expect([id, others.length / found.length < 0.1]).toEqual([id, true])
  }
})
