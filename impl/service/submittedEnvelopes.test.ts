import fc from 'fast-check'
import { pino } from 'pino'
import { devAccount } from 'polgate-chain/accounts.ts'
import { encryptedIdentityData, identityDomainOf } from 'polgate-chain/identityRegistry.ts'
import { property } from 'polgate-lib/testing/property.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EnvelopeUse } from './envelopes/binding.ts'
import { sealSecrets } from './envelopes/secrets.ts'

/**
 * A simulation opens what its caller sends, for any oracle. These are the attempts to have it open what somebody has
 * stored, on a gateway whose secrets key is its privacy key, too: the oracle of the attacker returns its secrets.
 */

let stack: LocalStack
let rpc: ReturnType<typeof stackClient>
const log: string[] = []

beforeAll(async () => {
  const sink = { write: (line: string) => void log.push(line) }
  stack = await startTestStack({
    config: (config) => ({ ...config, keys: { ...config.keys!, privacy: config.keys!.secrets } }),
    parts: { logger: pino({ level: 'warn' }, sink) },
  })
  rpc = stackClient(stack.description)
})
afterAll(() => stack.close())

const owner = devAccount(1)
const domain = `0x${'ab'.repeat(32)}` as const
const token = 'token-of-the-victim'
const provider = () => stack.description.accounts.provider!.address
/** Reads the secrets and returns them: see `fixtures/oracles/probe`. */
const readSecrets = toHex(JSON.stringify({ tape: '5755' }))
const leaked = Buffer.from(token).toString('hex')

const chainId = () => stack.description.chain.chainId
function probe(): { policyClient: Address; policyData: Address } {
  const { policyClient, policyData } = stack.description.clients.probed!
  return { policyClient, policyData: policyData[0]!.address }
}
const sealFor = (
  policyClient: Address = probe().policyClient,
  binding: { use?: EnvelopeUse; policyData?: Address } = {},
) =>
  sealSecrets({
    ...{ policyClient, chainId: chainId(), secrets: { TOKEN: token }, ...binding },
    recipientPublicKey: stack.service.encryptionKeys.secretsPublicKey,
  })

const base64 = (text: string) => Buffer.from(text).toString('base64')
/** By an attacker, who owns nothing of it. */
const simulate = (secrets: string) =>
  rpc.call(
    'simulatePolicyData',
    {
      ...{ policy_data_address: probe().policyData, chain_id: chainId() },
      ...{ wasm_args: readSecrets, secrets },
    },
    'stranger',
  )
const store = (envelope: string, key: 'rpc' | 'stranger' = 'rpc') =>
  rpc.call(
    'storeEncryptedSecrets',
    {
      ...{ policy_client: probe().policyClient, policy_data_address: probe().policyData },
      envelope,
    },
    key,
  )
async function stored(envelope = sealFor()): Promise<string> {
  const sent = await envelope
  expect((await store(sent)).result).toMatchObject({ success: true })
  return sent
}
const uploadIdentity = async (envelope: string, account = owner) =>
  rpc.call('uploadIdentityEncrypted', {
    identity_owner: account.address,
    identity_owner_sig: await account.signTypedData({
      domain: identityDomainOf(chainId(), stack.description.chain.identityRegistry!),
      ...{ ...encryptedIdentityData, message: { data: envelope } },
    }),
    ...{ envelope, identity_domain: domain, chain_id: chainId() },
  })
const uploadConfidential = (envelope: string) =>
  rpc.call('uploadConfidentialData', {
    ...{ provider: provider(), domain, envelope, chain_id: chainId() },
  })

async function expectOpened(envelope: string) {
  const answer = await simulate(base64(envelope))
  expect(JSON.stringify(answer.result)).toContain(leaked)
}
async function expectRefused(secrets: string) {
  const answer = await simulate(secrets)
  expect(answer.result ?? answer.error).toMatchObject(
    answer.result ? { success: false, policy_data: null } : { code: -32602 },
  )
  expect(JSON.stringify(answer)).not.toContain(leaked)
  return answer.result?.error ?? answer.error?.message
}
const expectSubmitted = async (envelope: string) =>
  expect(await expectRefused(base64(envelope))).toContain('was submitted for storage')

it('warns at the start that both keys are the same', () => {
  expect(log.join('')).toContain('the secrets key is the privacy key')
})

describe('a simulation', () => {
  it('opens a fresh envelope, also again, which can be stored afterwards', async () => {
    const envelope = await sealFor()
    await expectOpened(envelope)
    await expectOpened(envelope)
    await stored(Promise.resolve(envelope))
  })

  it('does not open stored secrets, nor replaced, nor deleted ones', async () => {
    const [first, second] = [await stored(), await stored()]
    const { database } = stack.service.store
    for (const envelope of [first, second]) await expectSubmitted(envelope)
    await database.query('delete from secrets where policy_client = $1', [
      probe().policyClient.toLowerCase(),
    ])
    for (const envelope of [first, second]) await expectSubmitted(envelope)
  })

  it('does not open secrets whose upload was refused, and the owner can store them all the same', async () => {
    const envelope = await sealFor()
    expect((await store(envelope, 'stranger')).error).toMatchObject({ code: -32002 })
    await expectSubmitted(envelope)
    await stored(Promise.resolve(envelope))
  })

  it.each(['identity', 'confidential'] as const)('does not open %s data', async (kind) => {
    const envelope = await sealFor(kind === 'identity' ? owner.address : provider())
    const upload = kind === 'identity' ? uploadIdentity : uploadConfidential
    const { result, error } = await upload(envelope)
    expect(result, error?.message).toMatchObject({ data_ref_id: expect.any(String) })
    await expectSubmitted(envelope)
    const again = await upload(envelope)
    expect(again.result?.data_ref_id).toBe(result?.data_ref_id)
  })

  it('does not open what an uploader could not register', async () => {
    const envelope = await sealFor(owner.address)
    expect((await uploadConfidential(envelope)).error).toMatchObject({ code: -32602 })
    await expectSubmitted(envelope)
    expect((await uploadIdentity(envelope)).result).toBeDefined()
  })
})

describe('another writing of a stored envelope', () => {
  let envelope: Record<string, unknown>
  beforeAll(async () => {
    envelope = JSON.parse(await stored())
  })

  const mixed = (bits: readonly boolean[]) => (_: string, value: unknown) =>
    typeof value === 'string'
      ? value.replace(/[a-f]/g, (digit, at: number) =>
          bits[at % bits.length] ? digit.toUpperCase() : digit,
        )
      : value
  property(
    {
      bits: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
      order: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
      space: fc.constantFrom('', ' ', '\t', '\n  '),
      more: fc.dictionary(
        fc.string({ minLength: 1, maxLength: 6 }).filter((name) => name !== 'enc'),
        fc.jsonValue({ maxDepth: 1 }),
        { maxKeys: 3 },
      ),
      name: fc.constantFrom('"enc"', '"\\u0065nc"', '"enc":0,"enc"'),
      padding: fc.constantFrom('as it is', 'none', 'url'),
    },
    { numRuns: 40 },
  )('is refused', async ({ bits, order, space, more, name, padding }) => {
    const members = Object.entries({ ...more, ...envelope })
      .map((entry, at) => ({ entry, rank: order[at % order.length]! }))
      .sort((one, other) => one.rank - other.rank)
    const ordered = Object.fromEntries(members.map(({ entry }) => entry))
    const text = JSON.stringify(ordered, mixed(bits), space).replace('"enc"', name)
    const encoded = base64(`${space}${text}${space}`)
    const sent = {
      'as it is': encoded,
      none: encoded.replaceAll('=', ''),
      url: encoded.replaceAll('+', '-').replaceAll('/', '_'),
    }[padding]!
    await expectRefused(sent)
  })

  it.each([
    ['another ciphertext', { ciphertext: 'ab'.repeat(40) }],
    ['another enc', { enc: 'cd'.repeat(32) }],
    ['another client', { policy_client: `0x${'12'.repeat(20)}` }],
    ['another chain', { chain_id: 5 }],
    ['another key', { recipient_pubkey: 'ef'.repeat(32) }],
  ])('with %s is refused', async (_, change) => {
    await expectSubmitted(JSON.stringify({ ...envelope, ...change }))
  })
})

describe('an envelope that is stored for one use', () => {
  it('is not stored for another, whatever its form', async () => {
    const { policyClient } = probe()
    // Identity data that is sealed for a client; the owner of that client tries to read it as its secrets.
    const identity = await sealFor(policyClient)
    expect((await uploadIdentity(identity)).result).toBeDefined()
    const upper = JSON.stringify(JSON.parse(identity), (_, value) =>
      typeof value === 'string' && !value.startsWith('0x') ? value.toUpperCase() : value,
    )
    for (const envelope of [identity, upper])
      expect((await store(envelope)).result).toMatchObject({
        success: false,
        error: expect.stringContaining('already stored for another use'),
      })
    expect((await uploadIdentity(identity)).result).toBeDefined()
    const secrets = await stored()
    expect((await uploadIdentity(secrets)).error?.message).toContain('stored for another use')
    const ofProvider = await sealFor(provider())
    expect((await uploadIdentity(ofProvider)).result).toBeDefined()
    expect((await uploadConfidential(ofProvider)).result).toMatchObject({
      success: false,
      error: expect.stringContaining('stored for another use'),
    })
  })

  it('is not opened as ephemeral data of a task', async () => {
    const envelope = await stored()
    const { error } = await rpc.call('createTask', {
      policy_client: probe().policyClient,
      intent: plainIntent(stack.description, 77),
      wasm_args: toHex(JSON.stringify({ _privacy: { bid: envelope } })),
    })
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('was submitted for storage'),
    })
  })
})

describe('an envelope of the bound form', () => {
  const other = `0x${'34'.repeat(20)}` as const

  it('opens for its use and policy data', async () => {
    const { policyClient, policyData } = probe()
    await expectOpened(await sealFor(policyClient, { use: 'simulation', policyData }))
    await stored(sealFor(policyClient, { use: 'secrets', policyData }))
    const { result } = await rpc.call('simulatePolicyDataWithClient', {
      ...{ policy_client: policyClient, policy_data_address: policyData },
      wasm_args: readSecrets,
    })
    expect(JSON.stringify(result)).toContain(leaked)
    expect(
      (await uploadIdentity(await sealFor(owner.address, { use: 'identity' }))).result,
    ).toBeDefined()
  })

  it('does not open for another use or policy data, and not in the general form', async () => {
    const { policyClient, policyData } = probe()
    const forStorage = await sealFor(policyClient, { use: 'secrets', policyData })
    expect(await expectRefused(base64(forStorage))).toContain('sealed for use secrets')
    const { bound_use: _, ...downgraded } = JSON.parse(forStorage)
    const raised = { ...JSON.parse(await sealFor()), bound_use: 'simulation' }
    const changed = { ...JSON.parse(forStorage), bound_use: 'simulation' }
    for (const envelope of [downgraded, raised, changed])
      expect(await expectRefused(base64(JSON.stringify(envelope)))).toContain('does not open')
    const elsewhere = await sealFor(policyClient, { use: 'simulation', policyData: other })
    expect(await expectRefused(base64(elsewhere))).toContain('does not open')

    const refused = [
      await sealFor(policyClient, { use: 'secrets', policyData: other }),
      await sealFor(policyClient, { use: 'simulation', policyData }),
      JSON.stringify(downgraded),
    ]
    for (const envelope of refused)
      expect((await store(envelope)).result).toMatchObject({ success: false })
    const asIdentity = await uploadIdentity(await sealFor(owner.address, { use: 'confidential' }))
    expect(asIdentity.error?.message).toContain('bound_use is confidential, not identity')
  })
})
