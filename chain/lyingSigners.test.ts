import fc from 'fast-check'
import type { BlsKey } from 'polgate-service/attestation/bls.ts'
import { type Attestation, validateCalldata } from 'polgate-service/attestation/calldata.ts'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import {
  decodeSignatureData,
  encodeSignatureData,
} from 'polgate-service/attestation/signatureData.ts'
import { attest, taskIdOf } from 'polgate-service/attestation/testing/attest.ts'
import { accepted, effectsOf } from 'polgate-service/attestation/testing/callOperators.ts'
import { mine, validate } from 'polgate-service/attestation/testing/calls.ts'
import { changedWords } from 'polgate-service/attestation/testing/changedWords.ts'
import { allow, deny, startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { decodeFunctionData, type Hex, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { operatorRegistryAbi, taskManagerAbi } from './artifacts/abis.ts'
import { decodeRevert } from './customErrors.ts'
import { deployPolicy, deployPolicyClient, deployPolicyData } from './deploy.ts'

/**
 * Signers that lie. One operator has all stake, so that its signature is that of a quorum. Every word of
 * what the contract gets is changed and signed again: what is accepted has another decision, or the
 * same effect until the same block. After the operator was removed, and the bound has passed, nothing is
 * accepted.
 */
const expireAfter = 20

let world: World
let plainClient: Hex
let pricedClient: Hex
beforeAll(async () => {
  world = await startWorld({}, { stakes: [100n] })
  const { transactor, protocol } = world
  const policyData = await deployPolicyData(transactor, { wasmCid: 'bafywasm', expireAfter: 50 })
  const clientOf = async (sources: readonly Hex[]) => {
    const contents = { entrypoint: 'a.b', policyCid: 'c', policyData: sources }
    const policy = await deployPolicy(transactor, protocol, contents)
    return deployPolicyClient(transactor, protocol, { kind: 'sample', policy, expireAfter })
  }
  plainClient = await clientOf([])
  pricedClient = await clientOf([policyData])
})
afterAll(() => world.stop())

const signatures = new Map<Hex, ReturnType<BlsKey['sign']>>()

/** The attestation with another content, signed by the operator. */
function signAgain(
  template: Attestation,
  changed: Omit<Attestation, 'signatureData'>,
): Attestation {
  const digest = responseDigest(changed.response)
  // Most changes are of the task, which is not signed.
  const sigma = signatures.get(digest) ?? world.operators[0]!.key.sign(digest)
  signatures.set(digest, sigma)
  const evidence = decodeSignatureData(template.signatureData)
  return { ...changed, signatureData: encodeSignatureData({ ...evidence, sigma }) }
}

type Variant = { readonly what: string; readonly data: Hex; readonly members: readonly string[] }

/**
 * Every change of a word after which the calldata still has a task and a response, signed again. Others
 * are changes of what cannot be signed: `unsignedWords.test.ts` has them.
 */
function lies(template: Attestation): readonly Variant[] {
  const before = leavesOf(template)
  const seen = new Set<Hex>()
  return changedWords(validateCalldata(template)).flatMap(({ what, data: changed }) => {
    const again = signedAgain(template, changed)
    if (again === undefined || seen.has(again.data)) return []
    seen.add(again.data)
    const after = leavesOf(again.attestation)
    const names = [...new Set([...before.keys(), ...after.keys()])]
    const members = names.filter((name) => before.get(name) !== after.get(name))
    return members.length === 0 ? [] : [{ what, data: again.data, members }]
  })
}

function signedAgain(template: Attestation, changed: Hex) {
  try {
    const { args } = decodeFunctionData({ abi: taskManagerAbi, data: changed })
    const [task, response] = args as unknown as [Attestation['task'], Attestation['response']]
    const attestation = signAgain(template, { task, response })
    return { attestation, data: validateCalldata(attestation) }
  } catch {
    // No task and response, or a number that is too large for its type.
    return undefined
  }
}

/** Members of task and response by path, and the lengths of arrays. */
function leavesOf({ task, response }: Omit<Attestation, 'signatureData'>): Map<string, string> {
  const leaves = new Map<string, string>()
  const add = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) leaves.set(path, String(value).toLowerCase())
    else for (const [name, member] of Object.entries(value)) add(member, `${path}.${name}`)
    if (Array.isArray(value)) leaves.set(`${path}.length`, String(value.length))
  }
  add(task, 'task')
  add(response, 'response')
  return leaves
}

const decision = 'response.evaluationResult'
const policyData = 'response.policyTaskData.policyData'

/**
 * What a lying quorum can change without another effect: nothing on chain reads it, or a client does
 * that has a minimum of its own (the threshold, which is not signed). Oracle data is what the quorum
 * decided from; it may leave it out, which is a decision without it.
 */
const withoutEffect = [
  'task.quorumThresholdPercentage',
  'response.policyTaskData.policyId',
  'response.policyTaskData.policyAddress',
  'response.policyTaskData.policy',
]
const ofPlain = [...withoutEffect, 'task.wasmArgs']
const ofPriced = [...withoutEffect, `${policyData}.0.data`, `${policyData}.length`]

/** The changed members; of data that is left out, only that. */
const membersOf = (changed: readonly string[]): readonly string[] =>
  changed.includes(`${policyData}.length`)
    ? changed.filter((name) => !name.startsWith(`${policyData}.0.`))
    : changed

const call = ({ task }: Attestation) => ({
  from: task.policyClient,
  to: world.protocol.taskManager,
})

describe.each([
  ['without oracles', () => plainClient, ofPlain],
  ['with an oracle', () => pricedClient, ofPriced],
] as const)('a lying quorum, %s', (_, clientOf, expected) => {
  it('changes the decision and nothing else, and not how long it holds', async () => {
    const honest = await attest(world, { policyClient: clientOf() })
    const variants = lies(honest)
    expect(variants.length).toBeGreaterThan(100)
    const unchanged = { what: 'unchanged', data: validateCalldata(honest) }
    const [first, ...taken] = await effectsOf(world, [unchanged, ...variants], call(honest))
    const changes = new Map(variants.map(({ data, members }) => [data, membersOf(members)]))
    for (const { what, data, events } of taken) {
      if (changes.get(data)!.includes(decision)) {
        const [spent] = parseEventLogs({ abi: taskManagerAbi, logs: events as never })
        const { taskId, policyClient } = honest.task
        const args = { taskId, policyClient, allowed: false }
        expect({ what, spent }).toMatchObject({ spent: { eventName: 'AttestationSpent', args } })
      } else expect({ what, events }).toEqual({ what, events: first!.events })
    }
    const found = new Set(taken.flatMap(({ data }) => changes.get(data)!))
    expect([...found].sort()).toEqual([...expected, decision].sort())
    await mine(world, expireAfter)
    expect(await accepted(world, [unchanged, ...variants], call(honest))).toEqual([])
  })
})

/** A lie about several members at once, in task and response alike; the id fits it. */
const coherentLies = fc.record(
  {
    nonce: fc.nat({ max: 3 }),
    blocksBack: fc.nat({ max: 30 }),
    value: fc.bigInt({ min: 0n, max: 3n }),
    to: fc.constantFrom(devAccount(7).address, devAccount(8).address),
    intentSignature: fc.constantFrom<Hex>('0x', `0x${'11'.repeat(65)}`),
    evaluationResult: fc.constantFrom(allow, deny),
    threshold: fc.constantFrom(0, 67, 100),
    policyAddress: fc.constantFrom(devAccount(7).address, undefined),
    policyId: fc.constantFrom<Hex | undefined>(`0x${'22'.repeat(32)}`, undefined),
    policyParams: fc.constantFrom<Hex | undefined>('0x', '0x7b20207d', undefined),
    expireAfter: fc.constantFrom(0, 19, 20, 21, 1_000, 2 ** 32 - 1),
  },
  { requiredKeys: ['blocksBack'] },
)
type CoherentLie = typeof coherentLies extends fc.Arbitrary<infer T> ? T : never

function lieAbout(honest: Attestation, lie: CoherentLie, head: number): Attestation {
  const { task, response } = honest
  const intent = { ...task.intent, value: lie.value ?? 0n, to: lie.to ?? task.intent.to }
  const intentSignature = lie.intentSignature ?? '0x'
  const terms = {
    ...{ ...task, intent, intentSignature, nonce: lie.nonce ?? task.nonce },
    taskCreatedBlock: head - lie.blocksBack,
    quorumThresholdPercentage: lie.threshold ?? 67,
  }
  const taskId = taskIdOf(terms, world.transactor.chainId)
  const { policyConfig } = response
  return signAgain(honest, {
    task: { ...terms, taskId },
    response: {
      ...{ ...response, taskId, intent, intentSignature },
      evaluationResult: lie.evaluationResult ?? response.evaluationResult,
      policyAddress: lie.policyAddress ?? response.policyAddress,
      policyId: lie.policyId ?? response.policyId,
      policyConfig: {
        policyParams: lie.policyParams ?? policyConfig.policyParams,
        expireAfter: lie.expireAfter ?? policyConfig.expireAfter,
      },
    },
  })
}

const outcomeOf = (attestation: Attestation): Promise<boolean | string> =>
  validate(world, attestation).catch(
    (error: unknown) => decodeRevert(error)?.errorName ?? String(error),
  )

describe('a lie about task and response', () => {
  it('is accepted with the configuration of the client, until its expiry, and decides its own intent', async () => {
    const honest = await attest(world, { policyClient: plainClient })
    await mine(world, 40)
    const head = Number(await world.transactor.client.getBlockNumber())
    const { policyId, policyAddress, policyConfig } = honest.response
    let taken = 0
    await fc.assert(
      fc.asyncProperty(coherentLies, async (lie) => {
        const changed = lieAbout(honest, lie, head)
        const { response, task } = changed
        const outcome = await outcomeOf(changed)
        const bound =
          response.policyId === policyId &&
          response.policyAddress === policyAddress &&
          response.policyConfig.policyParams === policyConfig.policyParams &&
          response.policyConfig.expireAfter === expireAfter
        if (bound && head < task.taskCreatedBlock + expireAfter) {
          expect(outcome).toBe(response.evaluationResult === allow)
          taken++
        } else expect(outcome).toBeTypeOf('string')
      }),
      { numRuns: 200 },
    )
    expect(taken).toBeGreaterThan(0)
  })
})

describe('an operator that was removed', () => {
  it('changes nothing after the bound, whatever it signs', async () => {
    const honest = [
      await attest(world, { policyClient: plainClient }),
      await attest(world, { policyClient: pricedClient }),
    ]
    const { transactor, protocol, operators } = world
    await transactor.write({
      address: protocol.operatorRegistry,
      abi: operatorRegistryAbi,
      functionName: 'deregisterOperator',
      args: [operators[0]!.key.operatorId],
    })
    const removed = Number(await transactor.client.getBlockNumber())
    await mine(world, expireAfter)
    for (const each of honest) {
      const unchanged = { what: 'unchanged', data: validateCalldata(each) }
      expect(await accepted(world, [unchanged, ...lies(each)], call(each))).toEqual([])
    }
    await fc.assert(
      fc.asyncProperty(coherentLies, fc.nat({ max: 25 }), async (lie, later) => {
        const changed = lieAbout(honest[0]!, lie, removed + later)
        expect(await outcomeOf(changed)).toBeTypeOf('string')
      }),
      { numRuns: 200 },
    )
  })
})
