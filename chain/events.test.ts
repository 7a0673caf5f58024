import fc from 'fast-check'
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  toHex,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { policyFactoryAbi, taskManagerAbi } from './artifacts/abis.ts'
import { eventOf } from './events.ts'
import type { RawLog } from './logs.ts'
import type { Task, TaskResponse } from './types.ts'

const taskManager = getAddress(`0x${'aa'.repeat(20)}`)
const policyFactory = getAddress(`0x${'bb'.repeat(20)}`)
const sources = { taskManager, policyFactory }
const client: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const taskId: Hex = `0x${'1c'.repeat(32)}`

const intent: Task['intent'] = {
  from: client,
  to: taskManager,
  value: 2n ** 200n,
  data: '0xAB',
  chainId: 31_337n,
  functionSignature: '0x',
}
const task: Task = {
  taskId,
  policyClient: client,
  nonce: 1,
  taskCreatedBlock: 2,
  quorumThresholdPercentage: 67,
  intent,
  intentSignature: '0x',
  wasmArgs: '0x',
  quorumNumbers: '0x00',
}

type Item = (typeof taskManagerAbi)[number] | (typeof policyFactoryAbi)[number]

/** A log as emitted by the contracts: unindexed fields are its data. */
function logOf(
  eventName: string,
  args: Readonly<Record<string, unknown>>,
  address: Address = taskManager,
): RawLog {
  const abi: readonly Item[] = address === policyFactory ? policyFactoryAbi : taskManagerAbi
  const event = abi.find((item) => item.type === 'event' && item.name === eventName)
  const inputs = (event as { inputs: readonly { name: string; type: string; indexed: boolean }[] })
    .inputs
  const plain = inputs.filter(({ indexed }) => !indexed)
  const values = plain.map(({ name }) => args[name])
  return {
    address: address.toLowerCase() as Address,
    topics: encodeEventTopics({ abi, eventName, args } as never) as Hex[],
    data: encodeAbiParameters(plain, values),
    blockNumber: 5,
    blockHash: `0x${'b1'.repeat(32)}`,
    logIndex: 3,
    transactionHash: `0x${'f7'.repeat(32)}`,
    timestamp: 1_700_000_000,
  }
}

const at = { blockNumber: 5, logIndex: 3, transactionHash: `0x${'f7'.repeat(32)}` }
const lower = (text: string) => text.toLowerCase()

describe('eventOf (decision C12)', () => {
  const created = (changed: Partial<Task['intent']> = {}) =>
    eventOf(
      logOf('NewTaskCreated', {
        taskId,
        policyClient: client,
        task: { ...task, intent: { ...intent, ...changed } },
      }),
      sources,
    )

  it('decodes a task with its intent as shown by the explorer, with a numeric chain id (section 2.2)', () => {
    expect(created()).toEqual({
      ...at,
      kind: 'created',
      taskId,
      policyClient: lower(client),
      sender: lower(client),
      createdBlock: task.taskCreatedBlock,
      intent: {
        from: lower(client),
        to: lower(taskManager),
        value: toHex(2n ** 200n),
        data: '0xab',
        chainId: 31_337,
        functionSignature: '0x',
      },
    })
  })

  it('keeps a chain id beyond the safe integers as a quantity', () => {
    expect(created({ chainId: 2n ** 53n })).toMatchObject({
      intent: { chainId: '0x20000000000000' },
    })
    expect(created({ chainId: 2n ** 53n - 1n })).toMatchObject({ intent: { chainId: 2 ** 53 - 1 } })
  })

  it('decodes a response with its data and certificate', () => {
    const policyTaskData = {
      policyId: taskId,
      policyAddress: policyFactory,
      policy: '0x' as Hex,
      policyData: [
        {
          wasmArgs: '0x7B7D' as Hex,
          data: '0x' as Hex,
          attestation: '0xFF' as Hex,
          policyDataAddress: client,
          expireBlock: 60,
        },
      ],
    }
    const response: TaskResponse = {
      taskId,
      policyClient: client,
      policyId: taskId,
      policyAddress: policyFactory,
      intent,
      intentSignature: '0x',
      evaluationResult: `0x${'0'.repeat(63)}1`,
      policyTaskData,
      policyConfig: { policyParams: '0x7B7D', expireAfter: 20 },
    }
    const certificate = {
      referenceBlock: 1,
      expirationBlock: 21,
      respondedBlock: 5,
      hashOfNonSigners: taskId,
      responseDigest: taskId,
    }
    const args = { taskId, policyClient: client, response, certificate }
    expect(eventOf(logOf('TaskResponded', args), sources)).toEqual({
      ...at,
      kind: 'responded',
      taskId,
      policyId: taskId,
      policyAddress: lower(policyFactory),
      evaluationResult: response.evaluationResult,
      policyConfig: { policyParams: '0x7b7d', expireAfter: 20 },
      policyTaskData: {
        ...policyTaskData,
        policyAddress: lower(policyFactory),
        policyData: [
          {
            wasmArgs: '0x7b7d',
            data: '0x',
            attestation: '0xff',
            policyDataAddress: lower(client),
            expireBlock: 60,
          },
        ],
      },
      certificate: {
        reference_block: 1,
        expiration_block: 21,
        responded_block: 5,
        hash_of_non_signers: taskId,
        response_digest: taskId,
      },
    })
  })

  it('decodes spent attestations, and challenges with both outcomes', () => {
    const spent = logOf('AttestationSpent', { taskId, policyClient: client, allowed: true })
    expect(eventOf(spent, sources)).toEqual({
      ...at,
      kind: 'spent',
      taskId,
      policyClient: lower(client),
      allowed: true,
    })
    for (const [name, successful] of [
      ['TaskChallengedSuccessfully', true],
      ['TaskChallengedUnsuccessfully', false],
    ] as const) {
      expect(eventOf(logOf(name, { taskId, challenger: client }), sources)).toEqual({
        ...at,
        kind: 'challenged',
        taskId,
        challenger: lower(client),
        successful,
      })
    }
  })

  const info = {
    owner: client,
    metadataCid: 'bafymetadata',
    policyCid: 'bafypolicy',
    schemaCid: '',
    entrypoint: 'sample.allow',
    policyData: [taskManager],
    version: '1.2.3',
  }
  const deployed = (changed: Partial<typeof info> = {}) =>
    eventOf(
      logOf(
        'PolicyDeployed',
        { policy: taskManager, owner: client, info: { ...info, ...changed } },
        policyFactory,
      ),
      sources,
    )

  it('decodes the event of a policy (decision X6)', () => {
    expect(deployed()).toEqual({
      ...at,
      kind: 'policyDeployed',
      policy: lower(taskManager),
      info: {
        owner: lower(client),
        metadata_cid: 'bafymetadata',
        policy_cid: 'bafypolicy',
        schema_cid: '',
        entrypoint: 'sample.allow',
        policy_data: [lower(taskManager)],
        version: '1.2.3',
      },
    })
  })

  it('truncates the texts of a policy, and removes characters that a database cannot store', () => {
    const long = deployed({
      version: `1\0${'x'.repeat(100_000)}`,
      policyCid: `${'x'.repeat(2_047)}\u{1f600}`,
      policyData: Array.from({ length: 1_000 }, () => taskManager),
    })
    const told = long?.kind === 'policyDeployed' ? long.info : {}
    expect(told.version).toBe(`1\ufffd${'x'.repeat(2_046)}`)
    expect(told.policy_cid).toBe('x'.repeat(2_047))
    expect(told.policy_data).toHaveLength(256)
  })

  it('returns undefined for another contract, another event, or truncated data', () => {
    const spent = logOf('AttestationSpent', { taskId, policyClient: client, allowed: true })
    const handed = logOf('OwnershipTransferred', { previousOwner: client, newOwner: client })
    const strange = [
      { ...spent, address: lower(client) as Address },
      { ...spent, address: lower(policyFactory) as Address },
      { ...spent, data: '0x' as Hex },
      { ...spent, topics: spent.topics.slice(0, 2) },
      { ...spent, topics: [] },
      handed,
    ]
    expect(strange.map((log) => eventOf(log, sources))).toEqual(strange.map(() => undefined))
  })

  it('never throws, for any data with a known topic', () => {
    const names = ['NewTaskCreated', 'TaskResponded', 'AttestationSpent'] as const
    const word = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.nat(1_000).map(BigInt))
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.array(word, { maxLength: 60 }),
        fc.nat(40),
        (name, words, cut) => {
          const topics = encodeEventTopics({
            abi: taskManagerAbi,
            eventName: name,
            args: { taskId, policyClient: client },
          }) as Hex[]
          const digits = words.map((each) => each.toString(16).padStart(64, '0')).join('')
          const data: Hex = `0x${digits.slice(0, Math.max(0, digits.length - 2 * cut))}`
          const log = {
            ...logOf('AttestationSpent', { taskId, policyClient: client, allowed: true }),
            topics,
            data,
          }
          expect(eventOf(log, sources)?.kind).not.toBe('policyDeployed')
        },
      ),
      { numRuns: 300 },
    )
  })
})
