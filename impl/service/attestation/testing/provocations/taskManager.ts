import { devAccount } from 'polgate-chain/accounts.ts'
import { deployPolicyClient } from 'polgate-chain/deploy.ts'
import { challengeTask, postResponse, postTask } from 'polgate-chain/tasks.ts'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { Attestation } from '../../calldata.ts'
import type { Task } from '../../types.ts'
import { type AttestOptions, attest, prepare } from '../attest.ts'
import { encodeTaskManager, execute, mineTo, simulate, validate } from '../calls.ts'
import { deny, type World } from '../world.ts'
import type { Provocations } from './provocation.ts'

const stranger = devAccount(9).address

/** Posts a task and its response, like the gateway. */
export async function post(world: World, options: AttestOptions = {}): Promise<Attestation> {
  const attestation = await attest(world, options)
  const { transactor, protocol } = world
  await postTask(transactor, protocol.taskManager, attestation.task)
  await postResponse(transactor, protocol.taskManager, attestation)
  return attestation
}

/** A second, different response to the same task by the same operators. */
export async function contradict(world: World, { task }: Attestation, options: AttestOptions = {}) {
  const { nonce, taskCreatedBlock: referenceBlock } = task
  return attest(world, { nonce, referenceBlock, evaluationResult: deny, ...options })
}

export function challenge(world: World, { task }: Attestation, second: Attestation) {
  const { response: evidence, signatureData } = second
  const { transactor, protocol } = world
  return challengeTask(transactor, protocol.taskManager, { task, evidence, signatureData })
}

async function postedAndChallenged(world: World) {
  const first = await post(world)
  const second = await contradict(world, first)
  await challenge(world, first, second)
  return { first, second }
}

/** Simulates a call of the task manager by its owner and aggregator. */
function call(
  world: World,
  functionName: Parameters<typeof encodeTaskManager>[0],
  args: readonly unknown[],
  from: Address = world.transactor.account.address,
): Promise<Hex | undefined> {
  const data = encodeTaskManager(functionName, args)
  return simulate(world, { from, to: world.protocol.taskManager, data })
}

async function create(world: World, changeTask: (task: Task) => Task, from?: Address) {
  const { task } = await prepare(world, { changeTask })
  return call(world, 'createNewTask', [task], from)
}

const validateAfter = async (world: World, options: AttestOptions) =>
  validate(world, await attest(world, options))

export const taskManagerProvocations: Provocations = {
  async AlreadyChallenged(world) {
    const { first, second } = await postedAndChallenged(world)
    return challenge(world, first, second)
  },
  async AttestationAlreadySpent(world) {
    const attestation = await attest(world)
    await execute(world, attestation)
    return validate(world, attestation)
  },
  async AttestationExpired(world) {
    const attestation = await attest(world)
    await mineTo(world, attestation.task.taskCreatedBlock + 20)
    return validate(world, attestation)
  },
  async AttestationVoid(world) {
    const { first } = await postedAndChallenged(world)
    return validate(world, first)
  },
  CallerNotPolicyClient: async (world) => validate(world, await attest(world), stranger),
  async ChallengeNeedsMoreGas(world) {
    const first = await post(world)
    const { task, response, signatureData } = await contradict(world, first)
    return world.transactor.client.call({
      account: stranger,
      to: world.protocol.taskManager,
      data: encodeTaskManager('challengeTask', [task, response, signatureData]),
      gas: 1_200_000n,
    })
  },
  async ChallengeWindowClosed(world) {
    const first = await post(world)
    const second = await contradict(world, first)
    const responded = Number(await world.transactor.client.getBlockNumber())
    await mineTo(world, responded + 101)
    return challenge(world, first, second)
  },
  IntentForAnotherChain: (world) => validateAfter(world, { intent: { chainId: 1n } }),
  MulticallNeedsMoreGas: (world) => call(world, 'boundedMulticall', [['0x'], [10n ** 12n]]),
  NotAggregator: (world) => create(world, (task) => task, stranger),
  async OnlyItself(world) {
    const { task, response, signatureData } = await attest(world)
    return call(world, 'verifyEvidence', [task, response, signatureData])
  },
  OwnableInvalidOwner: (world) => call(world, 'transferOwnership', [zeroAddress]),
  OwnableUnauthorizedAccount: (world) => call(world, 'setAggregator', [stranger, true], stranger),
  PolicyDataAttestationInvalid: async (world) => {
    const attestation = await attest(world)
    const { response } = attestation
    const policyData = response.policyTaskData.policyData.map((entry) => ({
      ...entry,
      attestation: '0x01' as const,
    }))
    const policyTaskData = { ...response.policyTaskData, policyData }
    return validate(world, { ...attestation, response: { ...response, policyTaskData } })
  },
  PolicyAddressMismatch: (world) =>
    validateAfter(world, {
      changeResponse: (response) => ({ ...response, policyAddress: stranger }),
    }),
  PolicyConfigMismatch: (world) =>
    validateAfter(world, {
      changeResponse: (response) => ({
        ...response,
        policyConfig: { ...response.policyConfig, expireAfter: 1_000 },
      }),
    }),
  async PolicyDataExpired(world) {
    const { transactor, protocol, policy } = world
    const policyClient = await deployPolicyClient(transactor, protocol, {
      ...{ kind: 'sample', policy, expireAfter: 1_000 },
    })
    const attestation = await attest(world, { policyClient })
    await mineTo(world, attestation.task.taskCreatedBlock + 50)
    return validate(world, attestation)
  },
  PolicyIdNotCurrent: (world) =>
    validateAfter(world, {
      changeResponse: (response) => ({ ...response, policyId: `0x${'22'.repeat(32)}` }),
    }),
  ReferenceBlockMismatch: (world) =>
    validateAfter(world, {
      changeResponse: (response) => {
        const policyData = response.policyTaskData.policyData.map((entry) => ({
          ...entry,
          expireBlock: entry.expireBlock + 1,
        }))
        return { ...response, policyTaskData: { ...response.policyTaskData, policyData } }
      },
    }),
  async ResponseDiffersFromPosted(world) {
    const first = await post(world)
    return validate(world, await contradict(world, first))
  },
  async TaskAlreadyCreated(world) {
    const { task } = await post(world)
    return postTask(world.transactor, world.protocol.taskManager, task)
  },
  async TaskAlreadyResponded(world) {
    const first = await post(world)
    return postResponse(world.transactor, world.protocol.taskManager, first)
  },
  async TaskDiffersFromPosted(world) {
    const first = await post(world)
    return validate(world, { ...first, task: { ...first.task, quorumThresholdPercentage: 66 } })
  },
  TaskFromTheFuture: (world) =>
    create(world, (task) => ({ ...task, taskCreatedBlock: task.taskCreatedBlock + 1_000 })),
  TaskIdMismatch: (world) => create(world, (task) => ({ ...task, nonce: task.nonce + 1 })),
  async TaskNotCreated(world) {
    const first = await attest(world)
    return postResponse(world.transactor, world.protocol.taskManager, first)
  },
  async TaskNotResponded(world) {
    const first = await attest(world)
    await postTask(world.transactor, world.protocol.taskManager, first.task)
    return challenge(world, first, await contradict(world, first))
  },
  TaskResponseMismatch: (world) =>
    validateAfter(world, { changeTask: (task) => ({ ...task, intentSignature: '0x01' }) }),
  ThresholdOutOfRange: (world) =>
    create(world, (task) => ({ ...task, quorumThresholdPercentage: 101 })),
}
