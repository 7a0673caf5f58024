import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localTarget } from 'polgate-self-test/local/localTarget.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import { planned } from '../core/check.ts'
import type { RunEvent } from '../core/events.ts'
import { eventLogVersion } from '../core/events.ts'
import { tagsOf } from '../core/tags.ts'
import { expectationOf } from '../reference/catalogue.ts'
import { loadEvents } from '../reports/readEvents.ts'
import { probeCapabilities } from '../targets/capabilities.ts'
import type { PreparedTarget } from '../targets/target.ts'
import { createEventLog } from './eventLog.ts'
import { mergeLogs } from './mergeLogs.ts'
import { planOf } from './plan.ts'
import { runChecks } from './runChecks.ts'
import { createSession } from './session.ts'

/** The same stack for runs that must have equal results. */
let prepared: PreparedTarget
let missing: Readonly<Record<string, string>>
const directory = mkdtempSync(join(tmpdir(), 'same-run-'))
const seed = '0x005eed42'

beforeAll(async () => {
  prepared = await localTarget()
  missing = (await probeCapabilities(checks, prepared.target, fetch)).missing
})
afterAll(async () => {
  await prepared?.close()
  rmSync(directory, { recursive: true })
})

describe('shards of a run', () => {
  const clause = ['2.1', '2.2', '5.1']
  // Checks that wait for webhooks and time limits are no slower in shards.
  const exclude = ['every-method', 'webhook', 'cross', 'any-']
  const asked = async (shard: string | undefined): Promise<readonly RunEvent[]> => {
    const plan = planOf(checks, { seed, clause, shard, exclude })
    const path = join(directory, `${shard?.replace('/', '-') ?? 'whole'}.ndjson`)
    const log = createEventLog(path, (text) => text)
    const { target } = prepared
    log.append({
      type: 'run-started',
      version: eventLogVersion,
      at: new Date().toISOString(),
      seed,
      effort: 0.1,
      target: target.name,
      gatewayUrl: target.gatewayUrl,
      suite: 'a test',
      capabilities: [],
      missing,
      checks: plan.checks.map(planned),
      ...(plan.shard && {
        shard: { ...plan.shard, others: plan.shard.others.map(planned) },
      }),
    })
    const session = createSession({ target, seed, effort: 0.1, missing, expectationOf })
    await runChecks(plan.checks, session, { concurrency: 8, onResult: log.append })
    const at = new Date().toISOString()
    log.append({ type: 'run-finished', at, ms: 1, interrupted: false, code: 0 })
    await log.close()
    return loadEvents(path).events
  }
  const verdicts = (events: readonly RunEvent[]) =>
    events.flatMap((e) => (e.type === 'check-finished' ? [`${e.id} ${e.verdict}`] : [])).sort()

  test('have, merged, the verdicts of the whole run', async () => {
    const whole = verdicts(await asked(undefined))
    expect(whole.length).toBeGreaterThan(40)
    const parts = [
      { name: 'first', events: await asked('1/2') },
      { name: 'second', events: await asked('2/2') },
    ]
    expect(verdicts(mergeLogs(parts))).toEqual(whole)
  }, 300_000)
})

/**
 * Removes what must be new in every request: its id, so that responses are not mixed up, and a
 * sealed envelope, whose key is ephemeral.
 */
const withoutFresh = (body: string): string =>
  body
    .replace(/,"id":"[0-9a-f-]{36}"\}/g, '}')
    .replace(/"eyJlbmMi[A-Za-z0-9+/=]+"/g, '"an envelope"')

describe('property checks', () => {
  /**
   * Excludes checks that use values from the target or from earlier in the run: keys and clients
   * created by a check, data hashed with its envelope, and rows of growing lists.
   */
  const fresh = /schema|identity|confidential|registerWebhook|growth|list|stats/i
  const chosen = checks.filter(
    (check) =>
      tagsOf(check).includes('property') &&
      !check.exclusive &&
      !fresh.test(check.id) &&
      !check.needs.some((need) => ['owner', 'provider', 'webhook-receiver'].includes(need)) &&
      /^(rpc|explorer|rego)\./.test(check.id),
  )
  const requests = async (of: string) => {
    const sent: Record<string, string[]> = {}
    const { target } = prepared
    for (const check of chosen) {
      const list: string[] = []
      sent[check.id] = list
      const recording = ((url: string, init?: RequestInit) => {
        const { origin, pathname, search } = new URL(url)
        if (![target.gatewayUrl, target.explorerUrl].includes(origin)) return fetch(url, init)
        list.push(`${init?.method} ${pathname}${search} ${withoutFresh(String(init?.body ?? ''))}`)
        return fetch(url, init)
      }) as typeof fetch
      const session = createSession({
        target,
        seed: of,
        effort: 0.1,
        missing,
        fetch: recording,
      })
      await runChecks([check], session, { concurrency: 1 })
    }
    return sent
  }

  test('send byte-identical requests with the same seed, and different ones with another', async () => {
    expect(chosen.length).toBeGreaterThan(15)
    const first = await requests(seed)
    const second = await requests(seed)
    for (const { id } of chosen) expect([id, second[id]]).toEqual([id, first[id]])
    const other = await requests('0x00000001')
    const different = chosen.filter(({ id }) => String(other[id]) !== String(first[id]))
    expect(different.length).toBeGreaterThan(chosen.length / 2)
  }, 300_000)
})
