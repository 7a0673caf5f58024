import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLinearizability, schedule } from './interleavings.fixture.ts'
import { type Family, families, type StoreFault, settingOn } from './stateChanges.fixture.ts'
import type { Store } from './store/openStore.ts'
import type { UploadRight } from './store/secrets.ts'
import { openTestStore } from './store/testing/openTestStore.ts'

/**
 * Every pair of requests, with changes of chain and keys between them, ends as if one had come after the
 * other. A failure prints the seed, the operations and the order of their steps.
 */

let store: Store
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

/** One request, and meanwhile a change, another request, and another change. */
const scenariosOf = ({ requests, changes }: Family) =>
  fc
    .tuple(...[requests, changes, requests, changes].map((of) => fc.constantFrom(...of)))
    .map(([first, ...others]) => [[first!], others])

const everything = {
  requests: Object.values(families).flatMap(({ requests }) => requests),
  changes: Object.values(families).flatMap(({ changes }) => changes),
}
const scenarios = fc.oneof(...[...Object.values(families), everything].map(scenariosOf))

/** What a scenario may end in takes as long to find out as several schedules of it. */
const schedules = fc.array(schedule, { minLength: 12, maxLength: 20 })

let interleavings = 0

function property(among: typeof scenarios, fault?: StoreFault) {
  const unexplained = createLinearizability(settingOn(store.database, fault))
  return fc.asyncProperty(among, schedules, async (scenario, schedules) => {
    for (const each of schedules) {
      interleavings += 1
      const found = await unexplained(scenario, each)
      if (found !== undefined) throw new Error(found)
    }
  })
}

const runs = Number(process.env.SVC_TEST_INTERLEAVINGS ?? 60)

it('interleaved requests are explained by an order', async () => {
  const start = performance.now()
  await fc.assert(property(scenarios), { numRuns: runs })
  const seconds = (performance.now() - start) / 1_000
  const each = Math.round((interleavings / seconds) * 60)
  process.stdout.write(
    `${interleavings} interleavings in ${seconds.toFixed(1)} s, ${each} a minute\n`,
  )
}, 600_000)

/** Those of a family whose names match, so that a fault is found in seconds. */
function narrowed(family: keyof typeof families, names: RegExp) {
  const { requests, changes } = families[family]
  const named = <Named extends { readonly name: string }>(all: readonly Named[]) =>
    all.filter(({ name }) => names.test(name))
  return scenariosOf({ requests: named(requests), changes: named(changes) })
}

describe('the search finds', () => {
  const secretsWith =
    (change: (right: UploadRight | undefined) => UploadRight | undefined): StoreFault =>
    ({ secrets }) => ({
      secrets: { ...secrets, put: (scope, text, right) => secrets.put(scope, text, change(right)) },
    })
  const faults: readonly [string, typeof scenarios, StoreFault][] = [
    [
      'uploads of former owners',
      narrowed('secrets', /(first|second) stores secrets|transfer to second/),
      secretsWith(() => undefined),
    ],
    [
      'uploads of former keys',
      narrowed('secrets', /(first|mate) stores secrets|key first/),
      secretsWith((right) => right && { ...right, key: undefined }),
    ],
    [
      'webhooks of former keys',
      narrowed('webhooks', /registers|key first/),
      ({ webhooks }) => ({ webhooks: { ...webhooks, put: (webhook) => webhooks.put(webhook) } }),
    ],
    [
      'tasks of former keys',
      narrowed('tasks', /submits|key/),
      ({ tasks }) => ({
        tasks: { ...tasks, admit: ({ key: _, ...options }) => tasks.admit(options) },
      }),
    ],
  ]
  it.each(faults)(
    '%s',
    async (_, among, fault) => {
      const details = await fc.check(property(among, fault), {
        numRuns: 20_000,
        endOnFailure: true,
      })
      expect(String(details.errorInstance)).toContain('possible are')
    },
    600_000,
  )
})
