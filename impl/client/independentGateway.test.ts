import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from 'polgate-lib/http/freePort.ts'
import { type LocalEnvironment, startEnvironment } from 'polgate-local/environment.ts'
import { wireBrand } from 'polgate-protocol/brand.ts'
import { createWalletClient, defineChain, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { writeContract } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { waitForReceipt } from './chain/waitForReceipt.ts'
import { createServiceClient } from './client/createServiceClient.ts'
import { createExplorerClient } from './explorer/createExplorerClient.ts'

const gateway = fileURLToPath(
  new URL('../../fixtures/independent-gateway/gateway.mjs', import.meta.url),
)

/** A gateway that shares no code with this repository, and makes other choices (its README lists them). */
describe('a client of a gateway of third parties', () => {
  let environment: LocalEnvironment
  let directory: string
  let child: ChildProcess
  let urls: { gateway: string; explorer: string }

  beforeAll(async () => {
    environment = await startEnvironment({ brand: wireBrand('other') })
    directory = await mkdtemp(join(tmpdir(), 'svc-independent-'))
    const place = async () => ({ host: '127.0.0.1', port: await freePort() })
    const places = { gateway: await place(), explorer: await place(), control: await place() }
    const file = join(directory, 'environment.json')
    await writeFile(file, JSON.stringify({ ...environment.environment, listen: places }))
    child = spawn(process.execPath, [gateway], {
      env: { ...process.env, SVC_ENV_FILE: file },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const urlOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}`
    urls = { gateway: urlOf(places.gateway), explorer: urlOf(places.explorer) }
    const answers = () =>
      fetch(urls.gateway).then(
        () => true,
        () => false,
      )
    await vi.waitUntil(answers, { timeout: 30_000, interval: 50 })
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
    await environment.close()
    await rm(directory, { recursive: true })
  })

  const chain = () =>
    defineChain({
      id: environment.bed.chain.chainId,
      name: 'local',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [environment.bed.chain.rpcUrl] } },
    })
  const clientOf = (key: 'rpc' | 'none' | 'expired' | 'stranger' = 'rpc') =>
    createServiceClient({
      url: urls.gateway,
      key: environment.apiKeys[key],
      brand: 'other',
      chain: chain(),
    })

  it('stores secrets, sealed to a key in another form', async () => {
    const client = clientOf()
    const { public_key } = await client.getSecretsPublicKey()
    expect(public_key).toMatch(/^0x[0-9A-F]{64}$/)
    const { policyClient, policyDataAddress, secrets } = environment.secrets.find(
      (each) => each.key === 'write',
    )!
    await expect(
      client.storeSecrets({ policyClient, policyDataAddress, secrets }),
    ).resolves.toMatchObject({ success: true })
    // It announces no other form than the general one.
    const sealed = await client.sealSecrets({ policyClient, policyDataAddress, secrets })
    expect(JSON.parse(sealed)).not.toHaveProperty('bound_use')
    await expect(
      client.storeSecrets({ policyClient, policyDataAddress, secrets: { none: '' } }),
    ).rejects.toMatchObject({ code: 'SECRETS_INVALID' })
    await expect(
      clientOf('stranger').storeSecrets({ policyClient, policyDataAddress, secrets }),
    ).rejects.toMatchObject({ code: 'NOT_OWNER' })
  })

  it('uploads identity data that the registry accepts; an unknown reference is not found', async () => {
    const client = clientOf()
    const account = privateKeyToAccount(environment.bed.accounts.sender.privateKey)
    const uploaded = await client.uploadIdentity({
      account,
      identityDomain: `0x${'ab'.repeat(32)}`,
      plaintext: new TextEncoder().encode('{}'),
      identityRegistry: environment.bed.chain.identityRegistry!,
    })
    const wallet = createWalletClient({ account, chain: chain(), transport: http() })
    const hash = await writeContract(wallet, uploaded.registration)
    expect((await waitForReceipt(wallet, { hash })).status).toBe('success')
    const data_ref_id = uploaded.dataRefId
    expect((await client.getIdentityEncrypted({ data_ref_id })).envelope).toBe(uploaded.envelope)
    const unknown = { data_ref_id: `0x${'00'.repeat(32)}` as const }
    await expect(client.getIdentityEncrypted(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.getConfidentialData(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('throws by cause where bodies are no JSON-RPC', async () => {
    await expect(clientOf('expired').getPrivacyPublicKey()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
    await expect(clientOf('none').getPrivacyPublicKey()).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    const watched = clientOf().waitForTask({ taskId: `0x${'11'.repeat(32)}` }, { attempts: 2 })
    await expect(watched).rejects.toMatchObject({ code: 'SUBSCRIPTION_FAILED' })
  })

  it('pages an explorer without links, oldest first', async () => {
    const explorer = createExplorerClient({
      url: urls.explorer,
      key: environment.apiKeys.read,
      brand: 'other',
    })
    const addresses: string[] = []
    for await (const { address } of explorer.iteratePolicies({ size: 4 })) addresses.push(address)
    expect(addresses.length).toBe((await explorer.listPolicies()).total)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(addresses.length).toBeGreaterThan(4)
    await expect(explorer.listPolicies({ size: 101 })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })
})
