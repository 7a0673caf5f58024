import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { userDirectories } from 'polgate-lib/files/userDirectories.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DevProcess, startDev } from '../testing/devProcess.ts'
import { runMain } from '../testing/runMain.ts'
import type { DevEvent } from './devEvents.ts'

const template = fileURLToPath(new URL('../templates/price-feed', import.meta.url))
const wat = fileURLToPath(
  new URL('../../../fixtures/oracles/plain-string/oracle.wat', import.meta.url),
)

let scratch: string
let folder: string
let dev: DevProcess
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-dev-'))
  folder = join(scratch, 'my-package')
  await cp(template, folder, { recursive: true })
  await cp(wat, file('oracles/plain.wat'))
  // A second oracle whose component takes milliseconds to build.
  await edit(
    'policy.yaml',
    'oracles:\n',
    'oracles:\n  - { id: plain, source: oracles/plain.wat }\n',
  )
  await edit('policy.yaml', /tests: .*\ncases: .*\n/, '')
  await write(
    'policy.rego',
    `${await read('policy.rego')}\n\ndeny contains "plain says no" if data.wasm.plain.ok != true\n`,
  )
  dev = startDev(['my-package', '--port', '0'], scratch)
})
afterAll(async () => {
  await dev.end('SIGKILL')
  await rm(scratch, { recursive: true, force: true })
})

const file = (name: string) => join(folder, name)
const read = (name: string) => readFile(file(name), 'utf8')
const write = (name: string, text: string) => writeFile(file(name), text)
async function edit(name: string, from: string | RegExp, to: string): Promise<void> {
  const text = await read(name)
  const changed = text.replace(from, to)
  expect(changed).not.toBe(text)
  await write(name, changed)
}
const of = <Name extends DevEvent['event']>(events: readonly DevEvent[], name: Name) =>
  events.filter((each): each is DevEvent & { event: Name } => each.event === name)
/** The decision after an edit. */
async function decided(...change: Parameters<typeof edit>) {
  await edit(...change)
  const events = await dev.idle()
  const [decision] = of(events, 'decision')
  return { events, before: decision?.before, after: decision?.after, decision }
}
const allow = { decision: 'allow', reason: '', error: null }
const deny = (reason: string) => ({ decision: 'deny', reason, error: null })

test('it starts a stack, publishes, stores the test secrets and decides the intent of the package', async () => {
  const events = await dev.idle()
  const names = events.map(({ event }) => event).filter((name) => name !== 'building')
  expect(names).toEqual(['started', 'changed', 'applied', 'decision', 'waiting'])
  expect(of(events, 'started')[0]).toMatchObject({ package: 'price-feed', ownStack: true })
  expect(of(events, 'applied')[0]).toMatchObject({
    ...{ secrets: ['price_feed'], mocks: true, newClient: true },
  })
  expect(of(events, 'decision')[0]).toMatchObject({
    ...{ before: null, after: allow, intent: { from: 'file', name: 'intent.json' } },
  })
})

test('Rego, params, schema, mocks and an oracle decide the same intent otherwise', async () => {
  const { client, policy } = of(dev.events, 'applied')[0]!
  const rego = await decided(
    'policy.rego',
    'default allow',
    'deny contains "new rule" if true\n\ndefault allow',
  )
  expect(rego).toMatchObject({ before: allow, after: deny('new rule') })
  const [applied] = of(rego.events, 'applied')
  expect(applied).toMatchObject({ client, transactions: 2, secrets: [] })
  expect(applied?.policy).not.toBe(policy)
  expect(await decided('policy.rego', 'deny contains "new rule" if true\n\n', '')).toMatchObject({
    after: allow,
  })

  const params = await decided('params.json', '5000', '1999')
  expect(params).toMatchObject({ before: allow, after: deny('value exceeds the limit') })
  expect(of(params.events, 'applied')[0]).toMatchObject({ client, transactions: 1 })
  expect(await decided('params.json', '1999', '5000')).toMatchObject({ after: allow })

  const mocks = await decided('mocks.yaml', 'price: 2000', 'price: 5001')
  expect(mocks).toMatchObject({ before: allow, after: deny('value exceeds the limit') })
  expect(of(mocks.events, 'applied')[0]).toMatchObject({ transactions: 0 })
  expect(await decided('mocks.yaml', 'price: 5001', 'price: 2000')).toMatchObject({ after: allow })

  const oracle = await decided('oracles/plain.wat', 'true}}', '1234}}')
  expect(oracle).toMatchObject({ before: allow, after: deny('plain says no') })
  expect(of(oracle.events, 'applied')[0]).toMatchObject({ client, transactions: 3 })
  expect(await decided('oracles/plain.wat', '1234}}', 'true}}')).toMatchObject({ after: allow })

  const schema = await decided('params.schema.json', '"title"', '"description": "new", "title"')
  expect(of(schema.events, 'applied')[0]).toMatchObject({ client, transactions: 2 })
  const secrets = await decided('oracles/price_feed.test-secrets.json', /"(?=\s*})/, '2"')
  expect(of(secrets.events, 'applied')[0]).toMatchObject({
    transactions: 0,
    secrets: ['price_feed'],
  })
})

test('a task from elsewhere is the one that is decided again', async () => {
  const stack = join(scratch, '.svc/stack.json')
  const create = () => {
    const of = ['--package', folder, '--target', stack]
    return runMain('task', 'create', ...of, '--value', '2.6ether', '--json')
  }
  const task = await create()
  expect([task.code, task.stderr]).toEqual([1, ''])
  const { taskId, reasons } = JSON.parse(task.stdout)
  expect(reasons).toEqual(['value exceeds the limit'])
  const raised = await decided('params.json', '5000', '6000')
  expect(raised.decision?.intent).toEqual({ from: 'task', name: taskId })
  expect(raised).toMatchObject({ before: deny('value exceeds the limit'), after: allow })
  // What was decided again is what the next task is: it is spent from the balance of the client.
  const again = await create()
  expect(again.code).toBe(0)
  const spent = await runMain('task', 'spend', JSON.parse(again.stdout).taskId, '--target', stack)
  expect([spent.code, spent.stderr]).toEqual([0, ''])
})

test.each([
  [
    'policy.rego',
    'default allow',
    'default allow :=',
    'policy',
    /^policy\.rego:\d+: rego_parse_error/,
  ],
  ['policy.rego', 'count(deny)', 'count(1)', 'policy', /^policy\.rego:\d+: rego_type_error/],
  [
    'policy.yaml',
    'data.policy.allow',
    'data.policy.absent',
    'policy',
    /policy\.yaml:\d+:\d+ policy\.rego has no rule/,
  ],
  ['policy.yaml', 'name:', 'nam:', 'package', /policy\.yaml:\d+:\d+ .*nam/],
  [
    'policy.yaml',
    'policy: policy.rego',
    'policy: [',
    'package',
    /policy\.yaml:\d+:\d+ is not valid YAML/,
  ],
  [
    'params.json',
    '"max_usd": 6000,',
    '"max_usd": 6000',
    'package',
    /params\.json is not JSON: .*\(line 1 column \d+\)/,
  ],
  [
    'params.json',
    '"max_usd": 6000',
    '"max_usd": -1',
    'oracle',
    /params\.json:1:\d+ does not fit its schema: \/max_usd/,
  ],
  ['params.schema.json', '"type": "object"', '"type": "objec"', 'oracle', /params\.schema\.json: /],
  ['mocks.yaml', 'hosts:', 'hosts: [', 'package', /mocks\.yaml:\d+:\d+ is not valid YAML/],
  ['oracles/plain.wat', '(component', '(componen', 'oracle', /plain\.wat:2:2 expected/],
  [
    'oracles/plain.wat',
    '(export "run"',
    '(export "walk"',
    'oracle',
    /oracle plain cannot be loaded/,
  ],
  [
    'oracles/price_feed.js',
    'export function run',
    'export functio run',
    'oracle',
    /price_feed\.js:\d+:\d+ /,
  ],
  [
    'oracles/price_feed.test-secrets.json',
    'PRICE_API_KEY',
    'OTHER_KEY',
    'package',
    /does not fit the secrets schema/,
  ],
] as const)('%s with %j as %j keeps the version before', async (name, from, to, stage, message) => {
  const { policy } = of(dev.events, 'applied').at(-1)!
  const before = await read(name)
  const broken = await decided(name, from, to)
  await write(name, before)
  const repaired = await dev.idle()
  expect(of(broken.events, 'error')).toMatchObject([
    { stage, message: expect.stringMatching(message), inForce: policy },
  ])
  expect(broken.after).toBeUndefined()
  expect(of(repaired, 'applied')).toMatchObject([{ policy, transactions: 0 }])
  expect(of(repaired, 'decision')).toMatchObject([{ before: allow, after: allow }])
})

test('a file that is removed, renamed, or written by renaming another over it', async () => {
  await rename(file('policy.rego'), file('other.rego'))
  const [error] = of(await dev.idle(), 'error')
  expect(error?.message).toContain('policy.rego does not exist')
  await rename(file('other.rego'), file('policy.rego'))
  expect(of(await dev.idle(), 'decision')).toMatchObject([{ after: allow }])
  const text = (await read('params.json')).replace('6000', '1')
  await write('.params.json.tmp', text)
  await rename(file('.params.json.tmp'), file('params.json'))
  expect(of(await dev.idle(), 'decision')).toMatchObject([
    { after: deny('value exceeds the limit') },
  ])
  // The same content, and files that are nothing to the package, are no change.
  await write('params.json', text)
  await write('README.md', 'Nothing.')
  expect(await decided('params.json', '"max_usd": 1', '"max_usd": 6000')).toMatchObject({
    before: deny('value exceeds the limit'),
  })
  expect(of(dev.events, 'changed').flatMap(({ files }) => files)).not.toContain('README.md')
})

test('tests that a change affects are run, and an error in them changes nothing', async () => {
  await edit(
    'policy.yaml',
    'mocks: mocks.yaml',
    'tests: [policy_test.rego]\ncases: cases.yaml\nmocks: mocks.yaml',
  )
  await write('cases.yaml', 'cases:\n  - { name: small, expect: deny }\n')
  const [first] = of(await dev.idle(), 'tests')
  expect(first).toMatchObject({ passed: false, cases: { passed: 0, total: 1 } })
  expect(first?.rego?.total).toBeGreaterThan(5)
  expect(first?.failures).toEqual([
    expect.stringMatching(/^small: expected deny, but it is allowed/),
  ])
  const others = 'package policy_test\n\ntest_fails if false\n\ntestOpen if false'
  await edit('policy_test.rego', /package .*/, others)
  const second = await dev.idle()
  expect(of(second, 'decision')).toEqual([])
  expect(of(second, 'tests')).toMatchObject([
    {
      passed: false,
      cases: null,
      failingHosts: null,
      notRun: [expect.stringContaining('testOpen')],
    },
  ])
  await write('cases.yaml', 'cases: [')
  const third = await dev.idle()
  expect(of(third, 'error')).toMatchObject([
    { stage: 'tests', message: expect.stringMatching(/cases\.yaml:\d+:\d+/) },
  ])
})

test('a save during a build restarts it; Ctrl-C during one leaves no process, lock or state', async () => {
  const cache = join(userDirectories().cache, 'oracles')
  const compiling = () => dev.processes().filter((each) => each.includes('componentize'))
  const builds = async () => (await expect.poll(compiling).toHaveLength(1)) as undefined
  await cp(file('oracles/price_feed.js'), file('oracles/interrupted.js'))
  await edit('oracles/interrupted.js', 'price feed gave', `price feed ${randomUUID()} gave`)
  await edit('policy.yaml', 'oracles/price_feed.js', 'oracles/interrupted.js')
  await dev.next('building')
  await builds()
  const good = await read('oracles/interrupted.js')
  await write('oracles/interrupted.js', 'export function run( {')
  expect((await dev.next('error')).message).toMatch(/interrupted\.js:1:\d+ /)
  expect(compiling()).toEqual([])
  await write('oracles/interrupted.js', good)
  await dev.next('building')
  await builds()
  const { code, stderr } = await dev.end()
  expect(code).toBe(0)
  expect(stderr).not.toContain('rror')
  expect(dev.events.at(-1)).toEqual({ event: 'stopped' })
  await expect.poll(dev.processes).toEqual([])
  expect(readdirSync(cache).filter((name) => name.startsWith('interrupted-'))).toEqual([])
  expect(await readdir(join(scratch, '.svc'))).toEqual([])
  expect((await readdir(folder)).filter((name) => name.startsWith('.published'))).toEqual([])
})
