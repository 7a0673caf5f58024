import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { fixtureApiKey } from 'polgate-fixtures/host/fixtureHost.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { devAccounts, devEncryptionKeys } from 'polgate-local/devKeys.ts'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import { privateDataStack } from 'polgate-local/testing/privateDataStack.ts'
import { readRecordings } from 'polgate-local/testing/readRecordings.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sealSecrets } from './envelopes/secrets.ts'
import { findIn, findInFiles, formsOf } from './secretSearch.fixture.ts'
import { openStore } from './store/openStore.ts'
import { type Collector, startCollector } from './telemetry/testing/collector.ts'

/**
 * Plaintext is never persisted (section 5.3). A stack handles valid and invalid secrets; then every
 * file, row and log line that it has written is searched for them, in every encoding.
 */

// Boots a stack, sends two dozen requests and searches a hundred megabytes.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const marker = (name: string) => `${name}${randomBytes(12).toString('hex')}`
const secrets = {
  'the key of the feed': fixtureApiKey,
  'a part of a valid url': marker('working'),
  'a key that is refused': marker('refused'),
  'a path on a closed port': marker('closed'),
  'an invalid url': marker('nourl'),
  'a path that is not found': marker('missing'),
  'a value with the wrong type': marker('type'),
  'the name of a member': marker('member'),
  'the value of an unknown member': marker('extra'),
  'text that is not JSON': marker('nojson'),
  'a secret of a test run': marker('trial'),
  'a member of an identity': marker('identity'),
  // An address, without its prefix.
  'an entry of confidential data': randomBytes(20).toString('hex'),
  'ephemeral data': marker('bid'),
  'private data that an evaluation fails on': marker('fails'),
  'private data that is not JSON': marker('unread'),
  'the secret of a webhook': marker('hook'),
  'the key that opens secrets': devEncryptionKeys.secrets.slice(2),
  'the key that opens private data': devEncryptionKeys.privacy.slice(2),
  'the key of the gateway': devAccounts.gateway.privateKey.slice(2),
  'an API key': 'dev-rpc-public-key',
}
type Named = keyof typeof secrets
/** Positive control: texts that the search must find. */
const planted = { 'the ciphertext': '', 'plaintext sent by a caller': marker('open') }

let directory: string
let stack: LocalStack
let closed = false
let collector: Collector
let log = ''
let newKey = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-secrecy-'))
  collector = await startCollector()
  const sink = new Writable({
    write(chunk, _, done) {
      log += String(chunk)
      done()
    },
  })
  stack = await startLocalStack({
    dataDir: join(directory, 'data'),
    threshold: 3,
    // What Studio shows of tasks: paths, oracle calls, evaluations, reports of operators.
    ...{ taskTraces: true, timeTravel: true },
    config: (config) => ({
      ...config,
      oracles: { ...config.oracles!, cacheDir: join(directory, 'transpiled') },
    }),
    parts: { logger: pino({ level: 'trace' }, sink) },
    telemetry: { endpoint: collector.url, headers: { authorization: 'Bearer of the collector' } },
  })
  await useSecrets()
  await usePrivateData()
  recordings = await readRecordings(stack.description, taskIds)
  await stack.close()
  closed = true
})
afterAll(async () => {
  if (!closed) await stack?.close()
  await collector.close()
  await rm(directory, { recursive: true, force: true })
})

function priced() {
  const { policyClient, policyData } = stack.description.clients['priced-transfer']!
  return { policy_client: policyClient, policy_data_address: policyData[0]!.address }
}
const seal = (plaintext: Record<string, unknown>) =>
  sealSecrets({
    secrets: plaintext as Record<string, string>,
    policyClient: priced().policy_client,
    chainId: stack.description.chain.chainId,
    recipientPublicKey: stack.service.encryptionKeys.secretsPublicKey,
  })

/** All responses, which are searched too. */
let answers = ''
/** What the control listener has recorded of the tasks. */
let recordings = ''
const taskIds: string[] = []
/** Ciphertexts of ephemeral data, which only the operators of one task get. */
const ephemeral: Record<string, string> = {}
const sought = () => ({ ...secrets, ...ephemeral, 'a new key': newKey })
let tasks = 0

async function useSecrets(): Promise<void> {
  const rpc = stackClient(stack.description)
  const call = async (method: Parameters<typeof rpc.call>[0], params: unknown) => {
    const answer = await rpc.call(method, params)
    answers += JSON.stringify(answer)
    return answer as { result?: Record<string, unknown>; error?: unknown }
  }
  const store = async (plaintext: Record<string, unknown>) => {
    const envelope = await seal(plaintext)
    planted['the ciphertext'] = (JSON.parse(envelope) as { ciphertext: string }).ciphertext
    return call('storeEncryptedSecrets', { ...priced(), envelope })
  }
  const task = async () => {
    tasks += 1
    const intent = plainIntent(stack.description, tasks)
    const wasm_args = encodeWasmArgs(
      { symbol: 'ETH', note: planted['plaintext sent by a caller'] },
      {},
    )
    const params = { policy_client: priced().policy_client, intent, wasm_args }
    await call('simulatePolicy', {
      ...params,
      wasm_args: undefined,
      policy: 'package policy\n\nallow := data.wasm',
      policy_data: [{ policy_data_address: priced().policy_data_address, wasm_args }],
    })
    await call('simulateTask', params)
    const result = (await call('createTask', params)).result as { status: string; task_id?: string }
    if (result.task_id !== undefined) taskIds.push(result.task_id)
    return result
  }
  const good = {
    PRICE_API_KEY: fixtureApiKey,
    PRICE_FEED_URL: `${stack.fixtureHost.url}/price/ETH?token=${secrets['a part of a valid url']}&rest=`,
  }

  // Rejected: their content must be neither returned nor stored.
  const broken: Record<string, unknown>[] = [
    { ...good, PRICE_API_KEY: [secrets['a value with the wrong type']] },
    { ...good, [secrets['the name of a member']]: 'x' },
    { ...good, OTHER: secrets['the value of an unknown member'] },
    { PRICE_API_KEY: secrets['a key that is refused'] },
  ]
  for (const plaintext of broken) {
    expect((await store(plaintext)).result).toMatchObject({ success: false })
  }
  const noJson = await seal(secrets['text that is not JSON'] as never)
  expect(
    (await call('storeEncryptedSecrets', { ...priced(), envelope: noJson })).result,
  ).toMatchObject({ success: false })
  await call('storeEncryptedSecrets', { ...priced(), envelope: JSON.stringify(good) })

  // Accepted, and failing where they are used.
  const failing: Record<string, string>[] = [
    { ...good, PRICE_API_KEY: secrets['a key that is refused'] },
    { ...good, PRICE_FEED_URL: `http://127.0.0.1:1/${secrets['a path on a closed port']}` },
    { ...good, PRICE_FEED_URL: secrets['an invalid url'] },
    { ...good, PRICE_FEED_URL: `${stack.fixtureHost.url}/${secrets['a path that is not found']}` },
  ]
  for (const plaintext of failing) {
    expect((await store(plaintext)).result).toMatchObject({ success: true })
    expect((await task()).status).toMatch(/success|failed/)
  }
  await call('simulatePolicyData', {
    policy_data_address: priced().policy_data_address,
    chain_id: stack.description.chain.chainId,
    secrets: Buffer.from(
      await seal({ ...good, PRICE_API_KEY: secrets['a secret of a test run'] }),
    ).toString('base64'),
    wasm_args: toHex('{"symbol":"ETH"}'),
  })

  // A webhook whose secret is stored encrypted, and a failure that is delivered to it.
  await call('registerWebhook', {
    url: 'http://127.0.0.1:1/hook',
    secret: secrets['the secret of a webhook'],
    max_retries: 0,
  })
  for (const operator of stack.service.operators) operator.stop()
  expect((await task()).status).toBe('failed')
  for (const operator of stack.service.operators) operator.start()

  newKey = (await stack.service.store.apiKeys.create({ name: 'n', permissions: ['rpc'] })).key
  expect((await store(good)).result).toMatchObject({ success: true })
  expect((await task()).status).toBe('success')
}

/** Fails on a bid that is text: with its value in the message, if it were another value. */
const privatePolicy = `package private

default allow := false

allow if {
	service.identity.get("status") == "approved"
	service.confidential.blacklist.count() == 1
	to_number(data.privacy.bid.amount) > 0
}

deny contains sprintf("%v %v", [service.identity.get("name"), data.privacy]) if not allow
`

/** Tasks that open private data of every kind, and fail over it in several ways. */
async function usePrivateData(): Promise<void> {
  const data = await privateDataStack(stack)
  // An oracle that returns its whole input.
  const client = await data.deploy(privatePolicy, [await buildOracle('echo')])
  await data.register({ status: 'approved', name: secrets['a member of an identity'] })
  await data.link(client)
  await data.registerProvider()
  await data.publish({ entries: [`0x${secrets['an entry of confidential data']}`] })
  await data.grant(client)
  await data.choose(client)
  const outcome = async (bid: unknown) => {
    const result = await data.task(client, {
      privacy: { bid },
      onSealed(envelope) {
        const { ciphertext } = JSON.parse(envelope) as { ciphertext: string }
        ephemeral[`ephemeral envelope ${ciphertext.slice(0, 8)}`] = ciphertext.slice(0, 64)
      },
    })
    answers += JSON.stringify(result)
    if (result.task_id !== undefined) taskIds.push(result.task_id)
    return result.status === 'success' ? result.task_response!.evaluation_result[31] : result.error
  }
  const note = secrets['ephemeral data']
  expect(await outcome({ amount: 1, note })).toBe(1)
  expect(await outcome({ amount: -1, note })).toBe(0)
  const failing = secrets['private data that an evaluation fails on']
  expect(await outcome({ amount: failing })).toMatch(/^Rego evaluation failed: /)
  // Text as an identity, and a list whose entries are none.
  await data.publish({ entries: [[secrets['private data that is not JSON']]] })
  expect(await outcome({ amount: 1 })).toMatch(/^Rego evaluation failed: /)
  await data.register([secrets['private data that is not JSON']])
  expect(await outcome({ amount: 1 })).toBe(
    'Private data failed: identity data is not a JSON object',
  )
  for (const operator of stack.service.operators.slice(0, 2)) operator.stop()
  expect(await outcome({ amount: 1, note })).toMatch(/failed|Quorum/)
  for (const operator of stack.service.operators) operator.start()
}

/** Rows as text too: in the files, large values are compressed. */
async function rows(): Promise<Buffer> {
  const store = await openStore({ dataDir: join(directory, 'data', 'store') })
  const tables = await store.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const all = await store.database.query(`select t::text as row from "${name}" t`)
    texts.push(...all.map(({ row }) => String(row)))
  }
  await store.close()
  return Buffer.from(texts.join('\n'))
}

describe('after a stack has handled secrets', () => {
  it('no secret is in a data or cache file', async () => {
    const { files, found } = await findInFiles(directory, sought())
    expect(found).toEqual([])
    expect(files).toBeGreaterThan(100)
  })

  it('no secret is in a row', async () => {
    expect(findIn('rows', await rows(), sought())).toEqual([])
  })

  it('no secret is in the log at the most verbose level', () => {
    expect(log.split('\n').length).toBeGreaterThan(20)
    expect(findIn('log', Buffer.from(log), sought())).toEqual([])
  })

  it('no secret is in an exported span, nor the ciphertext, or what callers sent', () => {
    const names = new Set(collector.spans.map(({ name }) => name))
    for (const name of [
      ...['run oracle', 'oracle GET', 'deliver webhook', 'storeEncryptedSecrets'],
      ...['open private data', 'operator open', 'uploadIdentityEncrypted'],
    ])
      expect(names).toContain(name)
    expect(collector.spans.filter(({ isError }) => isError).length).toBeGreaterThan(10)
    const spans = Buffer.from(collector.text())
    expect(findIn('spans', spans, { ...sought(), ...planted })).toEqual([])
    expect(log).not.toContain('of the collector')
  })

  it('no secret was in a response', () => {
    expect(answers).toContain('price feed answered 401')
    expect(findIn('answers', Buffer.from(answers), { ...secrets, ...ephemeral })).toEqual([])
  })
})

describe('the recordings of tasks', () => {
  it('contain no secret: neither what was opened, nor what oracles sent with their requests', () => {
    expect(taskIds.length).toBeGreaterThan(8)
    expect(Object.keys(ephemeral).length).toBeGreaterThan(3)
    for (const shown of ['private data, which is not kept', 'run oracle', '"task_responded_at"'])
      expect(recordings).toContain(shown)
    const shown = Buffer.from(recordings)
    expect(findIn('recordings', shown, sought())).toEqual([])
    const control = { 'plaintext sent by a caller': planted['plaintext sent by a caller'] }
    expect(findIn('recordings', shown, control)).not.toEqual([])
  })
})

describe('the search', () => {
  it('finds the positive controls: the ciphertext, and plaintext sent by a caller', async () => {
    const { found } = await findInFiles(join(directory, 'data'), planted)
    expect(found).toContainEqual(expect.stringMatching(/^store\/.*: the ciphertext as utf8$/))
    const inRows = findIn('rows', await rows(), planted)
    expect(inRows).toContain('rows: the ciphertext as utf8')
    expect(inRows).toContain('rows: plaintext sent by a caller as hex')
  })

  const secret: Named = 'a key that is refused'
  it.each([...formsOf(secrets[secret]).keys()])('finds a secret as %s', async (form) => {
    const place = await mkdtemp(join(tmpdir(), 'svc-search-'))
    const text = secrets[secret]
    const around = (at: number) => randomBytes(at)
    const bytes = Buffer.from(text)
    const [, encoding, before] = /^(base64(?:url)?) (\d)$/.exec(form) ?? []
    const written =
      encoding === undefined
        ? formsOf(text).get(form)!
        : Buffer.from(
            Buffer.concat([around(3 + Number(before)), bytes, around(2)]).toString(
              encoding as 'base64',
            ),
          )
    await writeFile(join(place, 'file'), Buffer.concat([around(1_001), written, around(99)]))
    const { found } = await findInFiles(place, secrets)
    await rm(place, { recursive: true })
    expect(found).toContain(`file: ${secret} as ${form}`)
  })
})
