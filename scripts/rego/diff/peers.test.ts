import { afterAll, expect, test } from 'vitest'
import type { DiffProgram, Peer } from './answers.ts'
import { Engines } from './engines.ts'
import { alarms, peerLike, unnoticed } from './mutants.fixture.ts'
import { opaPeer } from './opaPeer.ts'
import { entryFaults } from './page.ts'
import { regorusPeer } from './regorusPeer.ts'
import { search } from './search.ts'

const found = [opaPeer(), regorusPeer()]
const why = found.filter((each) => typeof each === 'string').join(', ')
const peers: Promise<Peer[]> = Promise.all(
  found.flatMap((each) => (typeof each === 'string' ? [] : [each()])),
)
const compared = test.skipIf(found.every((each) => typeof each === 'string'))

afterAll(async () => {
  for (const peer of await peers) await peer.close()
})

const program = (...sources: string[]): DiffProgram => ({
  modules: sources.map((source, i) => ({ name: `m${i}.rego`, source })),
  query: 'data.test',
  input: '{"x": 9007199254740993}',
  data: '{"base": {"y": 2}}',
  strict: true,
})

const PROGRAMS: readonly (readonly [DiffProgram, unknown])[] = [
  [program('package test\n\np := input.x'), { kind: 'value', text: '{"p":9007199254740993}' }],
  [
    program('package lib\n\nf(x) := x + 1', 'package test\n\np := data.lib.f(data.base.y)'),
    { kind: 'value', text: '{"p":3}' },
  ],
  [program('package test\n\np := '), { kind: 'error' }],
  [{ ...program('package test'), query: 'data.none' }, { kind: 'undefined' }],
  // Not what the program before it defined.
  [program('package test\n\nq := data.lib'), { kind: 'value', text: '{}' }],
  [program('package test\n\np := to_number("x")'), { kind: 'error' }],
  [{ ...program('package test\n\np := to_number("x")'), strict: false }, { text: '{}' }],
]

compared(
  `peers answer programs one after the other${why === '' ? '' : ` (not: ${why})`}`,
  async () => {
    for (const peer of await peers) {
      const answers = await peer.answers(PROGRAMS.map(([each]) => each))
      expect(answers).toMatchObject(PROGRAMS.map(([, answer]) => answer))
    }
  },
)

compared('they answer as the page of differences says', async () => {
  expect(await entryFaults(await peers)).toEqual([])
})

compared(
  'the programs of the page are listed differences, but not with a wrong answer',
  async () => {
    const known = await Promise.all((await peers).map(peerLike))
    expect(await alarms(known)).toEqual([])
    expect(await unnoticed(known)).toEqual([])
  },
)

/** The command `regorus` is a process for each program, and 20 s for one that it does not answer. */
const manyProcessesMs = 600_000

compared(
  'generated programs have no unlisted difference',
  async () => {
    const engines = new Engines(await peers)
    const { unlisted } = await search(engines, { seed: 1, from: 0, programs: 100, most: 1 })
    expect(unlisted).toEqual([])
  },
  manyProcessesMs,
)
