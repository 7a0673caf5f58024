import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChainClient } from 'polgate-chain/client.ts'
import { sealEnvelope } from 'polgate-client/sealing/sealEnvelope.ts'
import { loadEncryptionKey } from 'polgate-service/envelopes/encryptionKey.ts'
import { openSecrets, sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import { intentHash, parseIntent, taskId } from 'polgate-service/intents/intent.ts'
import { claimOf } from 'polgate-service/privateData/grant.ts'
import { beginOpening } from 'polgate-service/threshold/opening.ts'
import { identityOf } from 'polgate-service/threshold/roster.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { devEncryptionKeys, devOperators } from './devKeys.ts'
import { type LocalStack, startLocalStack } from './localStack.ts'
import { privateDataStack } from './testing/privateDataStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'
import { devMembers } from './thresholdStack.ts'

const signal = new AbortController().signal
let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-threshold-stack-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

async function publicKeys({ description }: LocalStack) {
  const client = stackClient(description)
  const [privacy, secrets] = await Promise.all([
    client.call('getPrivacyPublicKey', {}),
    client.call('getSecretsPublicKey', {}),
  ])
  return { privacy: privacy.result!.public_key, secrets: secrets.result!.public_key }
}

const where = ({ description }: LocalStack) => ({
  policyClient: description.clients['allow-list']!.policyClient,
  chainId: description.chain.chainId,
})

const sealTo = (stack: LocalStack, recipientPublicKey: string) =>
  sealEnvelope({
    ...{ plaintext: Buffer.from('Ada'), recipientPublicKey, proven: true },
    ...where(stack),
  })

let asked = 0
/** The claim of a new task whose ephemeral data the envelope is. */
async function claimNow(stack: LocalStack): Promise<string> {
  const { policyClient, chainId } = where(stack)
  asked += 1
  const intent = plainIntent(stack.description, asked)
  const { rpcUrl } = stack.description.chain
  const referenceBlock = Number(await createChainClient({ rpcUrl }).getBlockNumber())
  const id = taskId({
    ...{ policyClient, nonce: 0, chainId: BigInt(chainId), taskCreatedBlock: referenceBlock },
    intentHash: intentHash(parseIntent(intent)),
  })
  return claimOf({
    ...{ kind: 'ephemeral', taskId: id, policyClient, chainId, referenceBlock, nonce: 0 },
    ...{ intent, intentSignature: null },
  })
}

async function control({ description }: LocalStack, action: string, body: object) {
  const { controlUrl } = description
  const request = { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${controlUrl}/key/${action}`, request)
  return (await response.json()) as object
}

/** Decrypts as the first operator would, with the shares of some operators. */
async function openWith(stack: LocalStack, envelope: string, members: readonly number[]) {
  const { key, holders } = stack.service.privacyKey!
  const [{ address, thresholdKey }] = devOperators as [(typeof devOperators)[number]]
  const identity = identityOf(address, thresholdKey)
  const claim = await claimNow(stack)
  const opening = await beginOpening({ envelope, claim, key: key!, identity, random: randomBytes })
  const answers = await Promise.all(members.map((at) => holders[at]!.open(opening.request, signal)))
  return Buffer.from(await opening.open(answers, where(stack))).toString()
}

describe('threshold mode', () => {
  it('serves a key with which any three of four operators decrypt, also after a restart', async () => {
    const first = await startLocalStack({ dataDir: directory, threshold: 3 })
    let envelope: string
    let before: Awaited<ReturnType<typeof publicKeys>>
    try {
      before = await publicKeys(first)
      expect(before.privacy).not.toBe(before.secrets)
      expect(before.privacy).not.toBe(
        (await loadEncryptionKey(devEncryptionKeys.privacy)).publicKey,
      )
      expect(before.secrets).toBe((await loadEncryptionKey(devEncryptionKeys.secrets)).publicKey)
      envelope = await sealTo(first, before.privacy)
      expect(await openWith(first, envelope, [0, 1, 2])).toBe('Ada')
      expect(await openWith(first, envelope, [1, 2, 3])).toBe('Ada')
      await expect(openWith(first, envelope, [0, 3])).rejects.toThrow('2 of 3 needed')
      const refreshed = await control(first, 'refresh', {})
      expect(refreshed).toMatchObject({ publicKey: before.privacy, epoch: 2 })
      expect(await openWith(first, envelope, [0, 2, 3])).toBe('Ada')
      first.service.operators[3]!.stop()
      expect(await control(first, 'refresh', {})).toMatchObject({
        error: expect.stringContaining(`a resharing needs ${devOperators[3]!.address}`),
      })
      await expect(openWith(first, envelope, [1, 2, 3])).rejects.toThrow('operator unreachable')
      expect(await openWith(first, envelope, [0, 1, 2])).toBe('Ada')
    } finally {
      await first.close()
    }
    expect(await readdir(join(directory, 'shares'))).toHaveLength(4)

    const second = await startLocalStack({ dataDir: directory, threshold: 3 })
    try {
      expect(await publicKeys(second)).toEqual(before)
      expect(await openWith(second, envelope, [3, 1, 0])).toBe('Ada')
    } finally {
      await second.close()
    }
  }, 120_000)

  it('generates the key among operator processes over HTTP', async () => {
    const stack = await startLocalStack({
      dataDir: directory,
      threshold: 3,
      operatorProcesses: true,
    })
    try {
      const { privacy, secrets } = await publicKeys(stack)
      expect(privacy).not.toBe(secrets)
      const envelope = await sealTo(stack, privacy)
      expect(await openWith(stack, envelope, [0, 1, 2])).toBe('Ada')
      // Each of these processes verifies a task against its own node, and opens for itself.
      const data = await privateDataStack(stack)
      const client = await data.deploy(
        'package private\n\nallow if {\n\tdata.privacy.bid > 9\n\tservice.identity.check_approved()\n}\n\ndefault allow := false\n',
      )
      await data.register({ status: 'approved' })
      await data.link(client)
      for (const [bid, decision] of [
        [10, 1],
        [9, 0],
      ] as const) {
        const result = await data.task(client, { privacy: { bid } })
        expect(result).toMatchObject({ status: 'success', error: null })
        expect(result.operator_errors).toBeUndefined()
        expect(result.task_response!.evaluation_result[31]).toBe(decision)
      }
      await stack.operators[0]!.stop()
      expect(await openWith(stack, envelope, [1, 2, 3])).toBe('Ada')
      await expect(openWith(stack, envelope, [0, 1, 2])).rejects.toThrow('operator unreachable')
      await stack.operators[0]!.start()
      expect(await openWith(stack, envelope, [0, 1, 2])).toBe('Ada')
      await expect(openWith(stack, envelope, [2, 3])).rejects.toThrow('2 of 3 needed')
      const members = [3, 1, 0].map((at) => devOperators[at]!.address)
      const reshared = await control(stack, 'reshare', { needed: 2, members })
      expect(reshared).toMatchObject({ publicKey: privacy, epoch: 2, needed: 2 })
      await stack.operators[0]!.stop()
      await stack.operators[0]!.start()
      expect(await openWith(stack, envelope, [0, 3])).toBe('Ada')
    } finally {
      await stack.close()
    }
  }, 120_000)

  it('uses the secrets key for secrets: sealed to the privacy key they cannot be decrypted', async () => {
    const stack = await startTestStack({ threshold: 2 })
    try {
      const { privacy, secrets } = await publicKeys(stack)
      const key = await loadEncryptionKey(devEncryptionKeys.secrets)
      const seal = (recipientPublicKey: string) =>
        sealSecrets({ secrets: { api_key: 'k' }, ...where(stack), recipientPublicKey })
      const opened = await openSecrets({ envelope: await seal(secrets), key, ...where(stack) })
      expect(opened.secrets).toEqual({ api_key: 'k' })
      const wrong = await seal(privacy)
      await expect(openSecrets({ envelope: wrong, key, ...where(stack) })).rejects.toMatchObject({
        code: 'open',
      })
      const { policyClient, policyData } = stack.description.clients['priced-transfer']!
      const pair = { policyClient, chainId: stack.description.chain.chainId }
      const store = async (recipientPublicKey: string) => {
        const secrets = { api_key: 'k' }
        const { result } = await stackClient(stack.description).call('storeEncryptedSecrets', {
          policy_client: policyClient,
          policy_data_address: policyData[0]!.address,
          envelope: await sealSecrets({ secrets, ...pair, recipientPublicKey }),
        })
        return result
      }
      expect(await store(privacy)).toMatchObject({
        success: false,
        error: expect.stringContaining('another key'),
      })
      expect((await store(secrets))?.error ?? '').not.toContain('another key')
    } finally {
      await stack.close()
    }
  }, 180_000)

  it('reports a missing key while an operator is missing; other methods work', async () => {
    const stack = await startTestStack({
      threshold: 3,
      config: (config) => ({
        ...config,
        operators: config.operators!.map((operator, at) =>
          at < 3
            ? operator
            : {
                kind: 'remote',
                address: devOperators[3]!.address,
                id: `0x${'01'.repeat(32)}`,
                url: 'http://127.0.0.1:1',
                token: 'token-of-an-operator-that-is-down',
                thresholdPublicKey: devMembers()[3]!.publicKey,
              },
        ),
      }),
    })
    try {
      const client = stackClient(stack.description)
      const answer = await client.call('getPrivacyPublicKey', {})
      // Section 7.4.
      expect(answer.status).toBe(502)
      expect(answer.error).toMatchObject({ code: -32603, message: 'Service unavailable' })
      expect((await client.call('getSecretsPublicKey', {})).result).toBeDefined()
    } finally {
      await stack.close()
    }
  }, 180_000)

  it('is off by default: the privacy key is the configured one', async () => {
    const stack = await startTestStack()
    try {
      const { privacy } = await publicKeys(stack)
      expect(privacy).toBe((await loadEncryptionKey(devEncryptionKeys.privacy)).publicKey)
      expect(stack.service.privacyKey).toBeUndefined()
    } finally {
      await stack.close()
    }
  }, 180_000)
})

it('leaves no share behind for a stack without a data directory', async () => {
  const stack = await startTestStack({ threshold: 4 })
  const { directory: shares } = stack.config.threshold!
  expect(await readdir(shares!)).toHaveLength(4)
  const text = await readFile(join(shares!, (await readdir(shares!))[0]!), 'utf8')
  expect(JSON.stringify(stack.description)).not.toContain(
    (JSON.parse(text) as { share: string }).share,
  )
  await stack.close()
  await expect(readdir(shares!)).rejects.toThrow('ENOENT')
}, 180_000)
