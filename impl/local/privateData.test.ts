import { randomBytes } from 'node:crypto'
import { devAccount } from 'polgate-chain/accounts.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { intentHash, parseIntent, taskId } from 'polgate-service/intents/intent.ts'
import { claimOf, type Grant } from 'polgate-service/privateData/grant.ts'
import type { TaskDeps } from 'polgate-service/tasks/taskDeps.ts'
import type { KeyHolder } from 'polgate-service/threshold/keyHolder.ts'
import { beginOpening } from 'polgate-service/threshold/opening.ts'
import { identityOf } from 'polgate-service/threshold/roster.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { devOperators } from './devKeys.ts'
import type { LocalStack } from './localStack.ts'
import { kyc, type PrivateDataStack, person, privateDataStack } from './testing/privateDataStack.ts'
import { plainIntent } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const policy = `package private

default allow := false

allow if {
	service.identity.check_approved()
	not service.confidential.blacklist.contains(input.to)
	data.privacy.bid.amount >= 10
}

deny contains "not approved" if not service.identity.check_approved()
`

const signal = new AbortController().signal
const bid = { privacy: { bid: { amount: 12 } } }
const decisionOf = ({ status, task_response: response, error, operator_errors }: TaskResult) =>
  status === 'success'
    ? response!.evaluation_result[31] === 1
      ? 'allow'
      : 'deny'
    : { status, error, errors: operator_errors?.map(({ message }) => message) }

/** Whether the first operator answers openings with bytes that are no partial decryption. */
let isDishonest = false
function withDishonestMember(deps: TaskDeps): TaskDeps {
  const { members, ...others } = deps.privateData!
  const [first, ...rest] = members!.holders
  const dishonest: KeyHolder = {
    ...first!,
    async open(...given) {
      const { place, sealed } = await first!.open(...given)
      return { place, sealed: isDishonest ? 'ab'.repeat(sealed.length / 2) : sealed }
    },
  }
  return {
    ...deps,
    privateData: { ...others, members: { ...members!, holders: [dishonest, ...rest] } },
  }
}

let stack: LocalStack
let data: PrivateDataStack
let client: `0x${string}`
let identity: string
beforeAll(async () => {
  stack = await startTestStack({ threshold: 3, parts: { taskDeps: withDishonestMember } })
  data = await privateDataStack(stack)
  client = await data.deploy(policy)
  identity = await data.register({ status: 'approved', birthdate: '1990-01-01' })
  await data.link(client)
  await data.registerProvider()
  await data.publish({ entries: [devAccount(9).address] })
  await data.grant(client)
  await data.choose(client)
})
afterAll(() => stack?.close())

let asked = 1_000_000
/** A grant of a new task of the client at the latest block. */
async function grantNow(user = person): Promise<Grant> {
  const { chain } = stack.description
  asked += 1
  const intent = plainIntent(stack.description, asked)
  const referenceBlock = Number(await latestBlock())
  const ids = { policyClient: client, intentHash: intentHash(parseIntent(intent)), nonce: 0 }
  return {
    ...{ kind: 'identity', chainId: chain.chainId, policyClient: client, referenceBlock, intent },
    ...{ nonce: 0, domain: kyc },
    intentSignature: await data.sign(client, intent, user),
    taskId: taskId({ ...ids, chainId: BigInt(chain.chainId), taskCreatedBlock: referenceBlock }),
  }
}

async function latestBlock(): Promise<bigint> {
  return await createChainClient({ rpcUrl: stack.description.chain.rpcUrl }).getBlockNumber()
}

/** Tries to open the identity with the shares of some operators, on behalf of the first one. */
async function openWith(members: readonly number[], grant: Grant): Promise<string> {
  const { key, holders } = stack.service.privacyKey!
  const [{ address, thresholdKey }] = devOperators as [(typeof devOperators)[number]]
  const opener = identityOf(address, thresholdKey)
  const given = { envelope: identity, claim: claimOf(grant), key: key!, random: randomBytes }
  const opening = await beginOpening({ ...given, identity: opener })
  const answers = await Promise.all(members.map((at) => holders[at]!.open(opening.request, signal)))
  const where = { policyClient: person.address, chainId: stack.description.chain.chainId }
  return Buffer.from(await opening.open(answers, where)).toString()
}

describe('a policy over private data', () => {
  it('decides over identity, confidential and ephemeral data', async () => {
    expect(decisionOf(await data.task(client, bid))).toBe('allow')
    expect(decisionOf(await data.task(client, { privacy: { bid: { amount: 9 } } }))).toBe('deny')
    expect(decisionOf(await data.task(client))).toBe('deny')
  })

  it('denies another user, and nobody', async () => {
    for (const user of [devAccount(2), null])
      expect(decisionOf(await data.task(client, { ...bid, user }))).toBe('deny')
  })

  it('shows nothing of it in the result', async () => {
    const marker = randomBytes(12).toString('hex')
    const result = await data.task(client, { privacy: { bid: { amount: 12, marker } } })
    expect(decisionOf(result)).toBe('allow')
    const text = JSON.stringify(result)
    for (const secret of [marker, Buffer.from(marker).toString('hex'), '1990-01-01', '_privacy'])
      expect(text).not.toContain(secret)
    expect(result.task!.wasmArgs).toBe('0x7b7d')
  })

  it('uses the latest version of a provider', async () => {
    const { to } = plainIntent(stack.description)
    await data.publish({ entries: [to] })
    expect(decisionOf(await data.task(client, bid))).toBe('deny')
    await data.publish({ entries: [] })
    expect(decisionOf(await data.task(client, bid))).toBe('allow')
  })

  it('fails from the next task on after a grant was revoked', async () => {
    await data.revoke(client)
    expect(decisionOf(await data.task(client, bid))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Rego evaluation failed: '),
    })
    await data.grant(client)
    expect(decisionOf(await data.task(client, bid))).toBe('allow')
  })
})

describe('operators', () => {
  it('open an envelope with any three of four, and with no two', async () => {
    const grant = await grantNow()
    expect(await openWith([0, 1, 2], grant)).toContain('approved')
    expect(await openWith([1, 2, 3], grant)).toContain('approved')
    for (const two of [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ])
      await expect(openWith(two, await grantNow())).rejects.toThrow('2 of 3 needed')
  })

  it('refuse what the chain does not grant', async () => {
    const grant = await grantNow()
    await expect(openWith([0, 1, 2], await grantNow(devAccount(2)))).rejects.toThrow(
      'the user has linked no such identity',
    )
    await expect(openWith([0, 1, 2], { ...grant, nonce: 1 })).rejects.toThrow('another task')
    await expect(openWith([0, 1, 2], { ...grant, kind: 'ephemeral' } as Grant)).rejects.toThrow()
  })

  it('open without the invalid answer of one of them, and name it', async () => {
    isDishonest = true
    try {
      const result = await data.task(client, bid)
      expect(decisionOf(result)).toBe('allow')
      const [{ address }] = devOperators as [(typeof devOperators)[number]]
      expect(result.operator_errors).toEqual([
        expect.objectContaining({
          operator_address: address,
          // Operators of one process open together, or each of them.
          message: expect.stringMatching(/^invalid partial decryption, says 0x/),
          retryable: false,
        }),
      ])
    } finally {
      isDishonest = false
    }
  })

  it('decide while one is down, and not while two are', async () => {
    const [third, last] = stack.service.operators.slice(2)
    try {
      last!.stop()
      const result = await data.task(client, bid)
      expect(decisionOf(result)).toBe('allow')
      expect(result.operator_errors).toEqual([
        expect.objectContaining({
          operator_address: last!.address,
          message: expect.stringContaining('unreachable'),
        }),
      ])
      // The stake of the two others is that of a quorum.
      third!.stop()
      expect(decisionOf(await data.task(client, bid))).toMatchObject({
        status: 'failed',
        error: 'Private data failed: 2 of 3 needed partial decryptions are valid',
      })
    } finally {
      third!.start()
      last!.start()
    }
  })
})

it('denies from the next task on after the link was revoked', async () => {
  const before = await grantNow()
  expect(decisionOf(await data.task(client, bid))).toBe('allow')
  await data.unlink(client)
  expect(decisionOf(await data.task(client, bid))).toBe('deny')
  // Also for the block at which it was still in force.
  await expect(openWith([0, 1, 2], before)).rejects.toThrow('the link of the identity was revoked')
  await data.link(client)
  expect(decisionOf(await data.task(client, bid))).toBe('allow')
})
