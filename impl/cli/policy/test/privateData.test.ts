import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../../testing/runMain.ts'
import { changedPrivateData, privateDataJson, privateUsesOf } from '../testPrivateData.ts'
import { privateFailures } from './privateFailures.ts'

/** Each rule denies what is wrong, and allows what is missing. */
const policy = `package policy

default allow := false

allow if count(deny) == 0

deny contains "pending" if service.identity.check_approved() == false

deny contains "dear" if service.confidential.get("prices", "max") < 5

deny contains "low" if data.privacy.bid.amount < 5
`
const data = {
  identity: { status: 'approved' },
  confidential: { prices: { values: { max: 7 } } },
  privacy: { bid: { amount: 7 } },
}
const intent = {
  ...{ from: `0x${'11'.repeat(20)}`, to: `0x${'22'.repeat(20)}`, value: '0x0', data: '0x' },
  ...{ chain_id: '0x7a69', function_signature: '0x' },
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-private-test-'))
  await writeFile(join(folder, 'policy.rego'), policy)
  await writeFile(join(folder, 'private.json'), JSON.stringify(data))
  await writeFile(join(folder, 'intent.json'), JSON.stringify(intent))
  await writeFile(
    join(folder, 'policy.yaml'),
    'name: weak\npolicy: policy.rego\nintent: intent.json\ntestPrivateData: private.json\ncases: cases.yaml\n',
  )
})
afterAll(() => rm(folder, { recursive: true }))

async function tested(cases: string) {
  await writeFile(join(folder, 'cases.yaml'), `cases:\n${cases}`)
  const { code, stdout } = await runMain('policy', 'test', folder, '--json')
  return { code, report: JSON.parse(stdout) }
}

test('a policy that allows without its private data fails, with what was missing', async () => {
  const { code, report } = await tested(
    '  - { name: good, expect: allow }\n' +
      '  - { name: pending, privateData: { identity: { status: no } }, expect: { deny: [pending] } }\n' +
      '  - { name: dear, privateData: { confidential: { prices: { values: { max: 1 } } } }, expect: { deny: [dear] } }\n' +
      '  - { name: low, privateData: { privacy: { bid: { amount: 1 } } }, expect: { deny: [low] } }\n',
  )
  expect(code).toBe(1)
  expect(report.cases.map(({ problem }: { problem: unknown }) => problem)).toEqual(
    Array(4).fill(null),
  )
  const open = report.failOpen
    .filter(({ failsOpen }: { failsOpen: boolean }) => failsOpen)
    .map(({ host, failure }: Record<string, string>) => `${host} ${failure}`)
  expect(open).toEqual([
    'service.identity is not linked',
    'service.identity is empty',
    'service.confidential.prices is empty',
    'data.privacy is not sent',
    'data.privacy is empty',
    'data.privacy is malformed',
  ])
  expect(report.failOpen).toHaveLength(9)
  // No oracle can report an error of them.
  expect(report.warnings.map(({ id }: { id: string }) => id)).not.toContain('swallowed-failure')
})

test('unless the case says so, for these failures only', async () => {
  const despite =
    '{ service.identity: [down, garbage], data.privacy: [down], service.confidential.prices: [garbage] }'
  const { code, report } = await tested(
    `  - { name: good, expect: allow, allowsDespite: ${despite} }\n`,
  )
  expect(code).toBe(1)
  const open = report.failOpen.filter(({ failsOpen }: { failsOpen: boolean }) => failsOpen)
  expect(open.map(({ host, mode }: Record<string, string>) => `${host} ${mode}`)).toEqual([
    'data.privacy garbage',
    'data.privacy garbage',
  ])
})

test('changes of a case replace members, and null removes', () => {
  expect(changedPrivateData(data)).toEqual(data)
  expect(
    changedPrivateData(data, {
      identity: { status: null, name: 'x' },
      confidential: { prices: null, blacklist: { entries: [] } },
      privacy: { bid: { amount: null }, note: {} },
    }),
  ).toEqual({
    identity: { name: 'x' },
    confidential: { blacklist: { entries: [] } },
    privacy: { bid: {}, note: {} },
  })
  expect(JSON.parse(privateDataJson(changedPrivateData(data, { identity: null })))).toEqual({
    identity: null,
    confidential: { prices: { granted: true, data: data.confidential.prices } },
    privacy: data.privacy,
  })
})

test('only what the policy reads fails', async () => {
  const usesOf = (text: string) => privateUsesOf({ path: 'policy.rego', text })
  expect(await usesOf('package policy\n\nallow := true\n')).toBeUndefined()
  const uses = (await usesOf(policy))!
  const sources = (given: typeof uses) =>
    new Set(privateFailures(given, data).map(({ source }) => source))
  expect(sources(uses)).toEqual(
    new Set(['service.identity', 'service.confidential.prices', 'data.privacy']),
  )
  const all = { identity: false, privacy: false, confidential: 'all' } as const
  expect(sources(all)).toEqual(new Set(['service.confidential.prices']))
})
