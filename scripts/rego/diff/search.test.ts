import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { builtins } from 'polgate-rego/builtins/registry.ts'
import { expect, test } from 'vitest'
import type { DiffProgram, Peer } from './answers.ts'
import { Engines } from './engines.ts'
import { Here, PROFILE_OF } from './here.ts'
import { search } from './search.ts'

/** This engine as the peer: the other one has a defect, so that each difference is due to it. */
function comparing(replaced: readonly Builtin[]): Engines {
  const sound = new Here(PROFILE_OF.opa)
  const peer: Peer = {
    name: 'opa',
    version: '1.2.0',
    restarts: 0,
    answers: async (programs: readonly DiffProgram[]) => programs.map((each) => sound.answer(each)),
    close: async () => {},
  }
  return new Engines([peer], {
    opa: new Here(PROFILE_OF.opa, replaced),
    regorus: new Here(PROFILE_OF.regorus),
  })
}

const range = { seed: 5, from: 0, programs: 400, most: 1 }

/** A defect for some operands of one built-in. */
const defect = (name: string, call: Builtin['call']): Builtin => ({ ...builtins.get(name)!, call })

test.each([
  [/\bupper\(/, defect('upper', (_, text) => `${text}`)],
  [/\bsum\(/, defect('sum', () => undefined)],
  [/ in |member_2\(/, defect('internal.member_2', () => true)],
])('finds a defect of %s and shrinks the program to it', async (call, builtin) => {
  const { unlisted } = await search(comparing([builtin]), range)
  expect(unlisted.length).toBeGreaterThan(0)
  const least = unlisted.map(({ program }) => program.modules.map(({ source }) => source).join(''))
  const shortest = least.reduce((a, b) => (a.length <= b.length ? a : b))
  const bare = shortest.replace(/^package gen\.main\n+/, '')
  expect(bare).toMatch(call)
  expect(bare.length).toBeLessThan(60)
})

test('finds nothing without a defect', async () => {
  const summary = await search(comparing([]), range)
  expect(summary).toMatchObject({ programs: 400, unlisted: [] })
  expect(summary.listed.size).toBe(0)
})
