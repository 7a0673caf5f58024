import { privateData } from 'polgate-conformance/checks/4.10-private-data.ts'
import { checks } from 'polgate-conformance/checks/catalogue.ts'
import { expectationOf } from 'polgate-conformance/reference/catalogue.ts'
import { runChecks } from 'polgate-conformance/runner/runChecks.ts'
import { createSession } from 'polgate-conformance/runner/session.ts'
import { probeCapabilities } from 'polgate-conformance/targets/capabilities.ts'
import { freshFetch } from 'polgate-conformance/wire/freshFetch.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lyingMember } from '../mutants/4.10-private-data.ts'
import { type LocalTarget, localTarget } from './localTarget.ts'

let local: LocalTarget
let lies = 0
beforeAll(async () => {
  local = await localTarget({
    threshold: 3,
    parts: {
      decryptions: (own) => ({
        ...lyingMember(own),
        provenPoint(...given) {
          const proven = own.provenPoint(...given)
          if (proven === undefined) lies++
          return proven
        },
      }),
    },
  })
}, 120_000)
afterAll(() => local?.close())

/** What the mutant `private.unverified-partial` is compared with: its fault alone is detected. */
test('private data is opened with a shared key, although one of four members lies', async () => {
  const { target } = local
  const { missing, blockMs } = await probeCapabilities(checks, target, freshFetch)
  const seed = '0x5eed'
  const session = createSession({ target, seed, effort: 1, missing, blockMs, expectationOf })
  const results = await runChecks(privateData, session, { concurrency: 2 })
  expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  expect(results).toHaveLength(privateData.length)
  expect(lies).toBeGreaterThan(0)
}, 120_000)
