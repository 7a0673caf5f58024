import fc from 'fast-check'
import { checks } from 'polgate-conformance/checks/catalogue.ts'
import {
  areExcepted,
  environmentCapabilities,
  openForms,
} from 'polgate-conformance/core/profileProof.ts'
import { type Profile, profiles, withDependencies } from 'polgate-conformance/register/profiles.ts'
import { describe, expect, test } from 'vitest'
import { type PartialGateway, verdictOn } from './partialGateways.fixture.ts'

const having = (...names: readonly Profile[]) => withDependencies(names)
const to = (...names: readonly Profile[]) => `CONFORMANT TO ${having(...names).join(', ')}`
const honest = (...names: readonly Profile[]): PartialGateway => ({
  has: having(...names),
  claims: having(...names),
})
const needs = [...new Set(checks.flatMap((check) => check.needs))]
const notExcepted = needs.filter((need) => !areExcepted([need]))
const mayLack: readonly string[] = [...environmentCapabilities, ...openForms]
const simulated = having('base', 'private-data')

/** Gateways, what their target files say, and the verdict. */
const table: readonly (readonly [string, PartialGateway, string | RegExp])[] = [
  ['base alone', honest('base'), 'CONFORMANT TO base'],
  ['tasks', honest('tasks'), 'CONFORMANT TO base, tasks'],
  ['updates', honest('updates'), 'CONFORMANT TO base, tasks, updates'],
  ['webhooks', honest('webhooks'), 'CONFORMANT TO base, tasks, webhooks'],
  ['simulation', honest('simulation'), 'CONFORMANT TO base, simulation'],
  ['secrets', honest('secrets'), 'CONFORMANT TO base, simulation, secrets'],
  ['private data', honest('private-data'), 'CONFORMANT TO base, private-data'],
  ['an explorer', honest('explorer'), 'CONFORMANT TO base, tasks, explorer'],
  ['attestations', honest('attestation'), 'CONFORMANT TO base, tasks, attestation'],
  ['updates and webhooks', honest('updates', 'webhooks'), to('updates', 'webhooks')],
  ['tasks and simulation', honest('tasks', 'simulation'), to('tasks', 'simulation')],
  ['webhooks and secrets', honest('webhooks', 'secrets'), to('webhooks', 'secrets')],
  ['explorer and attestations', honest('explorer', 'attestation'), to('explorer', 'attestation')],
  ['secrets and private data', honest('secrets', 'private-data'), to('secrets', 'private-data')],
  ['everything', { has: profiles }, 'CONFORMANT'],
  ['everything, claiming tasks', { has: profiles, claims: having('tasks') }, to('tasks')],
  ['base, claiming all', { has: having('base') }, 'NOT CONFORMANT'],
  [
    'everything but an explorer, claiming all',
    { has: profiles.filter((profile) => profile !== 'explorer') },
    'NOT CONFORMANT',
  ],
  [
    'webhooks, claimed without tasks',
    { has: having('webhooks'), claims: ['base', 'webhooks'] },
    'COULD NOT RUN: profiles names webhooks, which depends on tasks',
  ],
  [
    'private data, waiving all that others need',
    { has: simulated, waives: notExcepted },
    /^COULD NOT RUN: notApplicable waives .*, without which the profile tasks cannot hold/,
  ],
  [
    'everything, waiving everything',
    { has: profiles, waives: needs },
    /^COULD NOT RUN: notApplicable waives /,
  ],
  [
    'everything, waiving what a gateway may lack',
    { has: profiles, waives: [...environmentCapabilities] },
    'CONFORMANT',
  ],
  [
    'everything, waiving that and every open form',
    { has: profiles, waives: mayLack },
    // Nothing of secrets is proven without a form of envelopes.
    'INCONCLUSIVE',
  ],
  ['everything, without a key', { has: profiles, lacks: ['key:write'] }, 'INCONCLUSIVE'],
  ['everything, without a chain', { has: profiles, lacks: ['chain'] }, 'INCONCLUSIVE'],
  ...profiles
    .slice(1)
    .map((profile): (typeof table)[number] => [
      `everything but ${profile}, claiming all and waiving what a gateway may lack`,
      { has: profiles.filter((each) => each !== profile), waives: mayLack },
      profile === 'secrets' ? 'INCONCLUSIVE' : 'NOT CONFORMANT',
    ]),
]

describe('a gateway that is correct in what it has', () => {
  test.each(table)('%s', (_, gateway, expected) => {
    const { words } = verdictOn(gateway)
    if (typeof expected === 'string') expect(words).toBe(expected)
    else expect(words).toMatch(expected)
  })

  test('what it may lack stands beside the verdict', () => {
    const { profiles: proofs } = verdictOn({ has: profiles, waives: [...environmentCapabilities] })
    const excepted = proofs.flatMap((proof) => proof.excepted.map(({ clause }) => clause))
    expect(excepted).toContain('8-10')
    expect(proofs.every(({ holds }) => holds)).toBe(true)
  })
})

const someProfiles = fc.subarray([...profiles]).map((some) => withDependencies(['base', ...some]))
const somethingMissing = someProfiles.filter((some) => some.length < profiles.length)
const selection = fc.oneof(
  fc.constant(undefined),
  fc.record({ of: fc.integer({ min: 2, max: 9 }), index: fc.nat(8) }),
)

test('no way to waive, to claim or to select certifies what a gateway does not have', () => {
  fc.assert(
    fc.property(
      somethingMissing,
      fc.option(someProfiles, { nil: undefined }),
      fc.oneof(fc.subarray([...mayLack]), fc.subarray(needs, { maxLength: 2 })),
      fc.oneof(fc.subarray([...mayLack]), fc.subarray(needs)),
      selection,
      (has, claims, waives, lacks, part) => {
        const { words, isPart } = verdictOn({
          has,
          ...(claims && { claims }),
          waives,
          lacks,
          ...(part && { selects: ({ id }) => id.length % part.of === part.index % part.of }),
        })
        expect(words).not.toBe('CONFORMANT')
        if (isPart || !words.startsWith('CONFORMANT TO ')) return
        for (const profile of claims ?? profiles) expect(has).toContain(profile)
      },
    ),
    { numRuns: 60 },
  )
})

test('a part of the checks certifies nothing, whatever a gateway has', () => {
  fc.assert(
    fc.property(someProfiles, fc.integer({ min: 2, max: 400 }), (claims, of) => {
      let at = 0
      const { words, isPart } = verdictOn({ has: profiles, claims, selects: () => at++ % of !== 1 })
      expect(isPart).toBe(true)
      expect(words).toMatch(/^SELECTED CHECKS PASSED \([\d,]+ of [\d,]+\)$/)
    }),
    { numRuns: 15 },
  )
})
