import { readFileSync, writeFileSync } from 'node:fs'
import { type Attestation, validateCalldata } from 'polgate-service/attestation/calldata.ts'
import { MODULUS } from 'polgate-service/attestation/curve.ts'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import { hashToCurve } from 'polgate-service/attestation/hashToCurve.ts'
import { attestPolicyData } from 'polgate-service/attestation/policyDataAttestation.ts'
import { type AttestOptions, attest, prepare } from 'polgate-service/attestation/testing/attest.ts'
import {
  deny,
  keyOf,
  startWorld,
  testKey,
  type World,
} from 'polgate-service/attestation/testing/world.ts'
import {
  type Address,
  createTestClient,
  type Hash,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseEther,
  type TransactionReceipt,
} from 'viem'
import { devAccount } from '../accounts.ts'
import {
  grantAccess,
  publishData,
  registerProvider,
  revokeAccess,
  setSource,
} from '../confidentialDataRegistry.ts'
import {
  deployDataRegistries,
  deployPolicy,
  deployPolicyClient,
  deployPolicyData,
} from '../deploy.ts'
import { identityDomainOf, identityLink, linkIdentity, revokeLinks } from '../identityRegistry.ts'
import { registerOperator } from '../operators.ts'
import { postTogether } from '../postTogether.ts'
import { challengeTask, postResponse, postTask } from '../tasks.ts'
import { createTransactor } from '../transactor.ts'
import { type GasPart, gasParts } from './gasProfile.ts'
import { minedReceipt } from './minedReceipt.ts'

/** Gas of a transaction by what it does, including its calldata and the 21,000 of any transaction. */
export type GasCosts = Readonly<Record<string, number>>

const file = new URL('../gas.snapshot.json', import.meta.url)

export const readGasSnapshot = (): GasCosts => JSON.parse(readFileSync(file, 'utf8'))

export const writeGasSnapshot = (costs: GasCosts): void =>
  writeFileSync(file, `${JSON.stringify(costs, null, 2)}\n`)

/**
 * The figures that differ by more than 1 %, or are in one of the two only. Less need not be a change of
 * the contracts: zero bytes of calldata are cheaper, and how many of them a hash has is chance.
 */
export function gasDifferences(snapshot: GasCosts, measured: GasCosts): readonly string[] {
  const names = [...new Set([...Object.keys(snapshot), ...Object.keys(measured)])]
  return names.flatMap((name) => {
    const [before, now] = [snapshot[name], measured[name]]
    const same = before !== undefined && now !== undefined && Math.abs(now - before) <= before / 100
    return same ? [] : [`${name}: ${before ?? 'absent'} in the snapshot, ${now ?? 'absent'} now`]
  })
}

const oracle = {
  digestVersion: 2,
  wasmCid: 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
  secretsSchemaCid: '',
  expireAfter: 10_000,
}
const attester = devAccount(6)

/** Measures on a new chain with fixed keys and intents: every run has the same addresses and hashes. */
export async function measureGas(): Promise<GasCosts> {
  const world = await startWorld()
  try {
    const { transactor, protocol } = world
    const { plain, withOracle } = await clientsOf(world)
    const missing = { ...plain, signers: world.operators.slice(0, 3) }

    const costs: Record<string, number> = {}
    const first = await attestTypically(world, plain)
    costs['validateAttestationDirect, no oracle'] = await spend(world, first)
    const supplied = await attestTypically(world, withOracle)
    costs['validateAttestationDirect, one oracle'] = await spend(
      world,
      await attested(world, supplied),
    )
    const partial = await attestTypically(world, missing)
    costs['validateAttestationDirect, one non-signer'] = await spend(world, partial)

    const posted = await attestTypically(world, plain)
    const { task } = posted
    const createNewTask = await postTask(transactor, protocol.taskManager, task)
    costs.createNewTask = Number(createNewTask.gasUsed)
    const respondToTask = await postResponse(transactor, protocol.taskManager, posted)
    costs.respondToTask = Number(respondToTask.gasUsed)
    const evidence = await attest(world, {
      ...{ ...plain, nonce: task.nonce, referenceBlock: task.taskCreatedBlock },
      evaluationResult: deny,
    })
    const challenge = { task, evidence: evidence.response, signatureData: evidence.signatureData }
    const challenged = await challengeTask(transactor, protocol.taskManager, challenge)
    costs.challengeTask = Number(challenged.gasUsed)

    for (const [name, count] of [
      ['multicall, one result', 1],
      ['multicall, four results', 4],
    ] as const) {
      const answers: Attestation[] = []
      for (let i = 0; i < count; i++) answers.push(await attestTypically(world, plain))
      await postTogether(transactor, protocol.taskManager, answers)
      costs[name] = await lastGas(world)
    }
    costs.registerOperator = await register(world)
    return { ...costs, ...(await measureDataRegistries(world)) }
  } finally {
    await world.stop()
  }
}

/** What spending an attestation costs, by part: without an oracle, and with an attested one. */
export async function profileSpending(): Promise<
  Readonly<Record<'no oracle' | 'one oracle', readonly GasPart[]>>
> {
  const world = await startWorld({}, { stepsTracing: true })
  try {
    const { plain, withOracle } = await clientsOf(world)
    const { taskManager, operatorRegistry } = world.protocol
    const partsOf = async (attestation: Attestation) => {
      const { response } = attestation
      const names = new Map<string, string>([
        [taskManager, 'the task manager'],
        [operatorRegistry, 'the operator registry'],
        [response.policyClient, 'the policy client'],
        [response.policyAddress, 'the policy'],
        ...response.policyTaskData.policyData.map(
          ({ policyDataAddress }) => [policyDataAddress, 'the policy data'] as const,
        ),
      ])
      const byAddress = new Map(
        [...names].map(([address, name]) => [address.toLowerCase() as Address, name]),
      )
      return gasParts(world.transactor.client, (await spent(world, attestation)).hash, byAddress)
    }
    return {
      'no oracle': await partsOf(await attestTypically(world, plain)),
      'one oracle': await partsOf(await attested(world, await attestTypically(world, withOracle))),
    }
  } finally {
    await world.stop()
  }
}

/** Clients of a policy without an oracle, and of one with an oracle that has an attester. */
async function clientsOf({ transactor, protocol }: World) {
  const clientOf = async (policyData: readonly Address[]) => {
    const content = { entrypoint: 'sample.allow', policyCid: 'bafypolicy', policyData }
    const policy = await deployPolicy(transactor, protocol, content)
    const client = { kind: 'sample', policy, expireAfter: 10_000 } as const
    return deployPolicyClient(transactor, protocol, client)
  }
  const policyData = await deployPolicyData(transactor, {
    ...oracle,
    attesters: [attester.address],
  })
  return {
    plain: { policyClient: await clientOf([]) },
    withOracle: { policyClient: await clientOf([policyData]) },
  }
}

const nextNonce = new WeakMap<World, number>()

/**
 * An attestation whose digest takes two attempts to hash to the curve, as many as on average. Each
 * attempt costs some 4,300, so that chance would be more than what a change of the contracts makes.
 */
async function attestTypically(world: World, options: AttestOptions): Promise<Attestation> {
  const referenceBlock = Number(await world.transactor.client.getBlockNumber())
  for (let nonce = nextNonce.get(world) ?? 0; ; nonce++) {
    const terms = { ...options, nonce, referenceBlock }
    const { response } = await prepare(world, terms)
    const digest = responseDigest(response)
    if (hashToCurve(digest).X !== (BigInt(digest) % MODULUS) + 1n) continue
    nextNonce.set(world, nonce + 1)
    return attest(world, terms)
  }
}

/** With the signature of the attester over the output of its only oracle. */
async function attested(
  { transactor: { chainId } }: World,
  { task, response, signatureData }: Attestation,
): Promise<Attestation> {
  const { policyTaskData } = response
  const policyData = await Promise.all(
    policyTaskData.policyData.map(async (entry) => ({
      ...entry,
      attestation: await attestPolicyData({ ...oracle, ...entry, chainId }, attester),
    })),
  )
  return {
    ...{ task, signatureData },
    response: { ...response, policyTaskData: { ...policyTaskData, policyData } },
  }
}

/**
 * A transaction of the client itself, which Anvil sends without a key: the cost does not contain that
 * of a client.
 */
async function spent(
  world: World,
  attestation: Attestation,
): Promise<{ readonly hash: Hash; readonly gas: number }> {
  const client = createTestClient({ mode: 'anvil', transport: http(world.anvil.url) })
  const address = attestation.task.policyClient
  await client.impersonateAccount({ address })
  await client.setBalance({ address, value: parseEther('1') })
  const hash = await client.sendUnsignedTransaction({
    from: address,
    to: world.protocol.taskManager,
    data: validateCalldata(attestation),
    gas: 1_000_000n,
  })
  const receipt = await minedReceipt(world.transactor.client, hash)
  if (receipt.status !== 'success') throw new Error('the attestation was refused')
  return { hash, gas: Number(receipt.gasUsed) }
}

const spend = async (world: World, attestation: Attestation) =>
  (await spent(world, attestation)).gas

/** Adds an operator to the quorum of the others. */
async function register(world: World): Promise<number> {
  const { transactor, protocol } = world
  const { chainId } = transactor
  const { operatorRegistry } = protocol
  const account = devAccount(9).address
  await registerOperator(transactor, operatorRegistry, {
    ...keyOf(testKey('one more'), { chainId, operatorRegistry, account }),
    ...{ account, stakes: { 0: 10n } },
  })
  return lastGas(world)
}

/** What the registries of sealed data cost: each change for the first time. */
async function measureDataRegistries(world: World): Promise<GasCosts> {
  const { transactor, policyClient: client } = world
  const byUser = await createTransactor({ rpcUrl: world.anvil.url, account: attester })
  const { chainId, account } = transactor
  const gateway = account.address
  const registries = await deployDataRegistries(transactor, { gateway })
  const { identityRegistry, confidentialDataRegistry: registry } = registries
  const gasOf = async (sent: Promise<TransactionReceipt>) => Number((await sent).gasUsed)

  const link = async (identityDomains: readonly Hex[], nonce: bigint) => {
    const clientUser = attester.address
    const deadline = 1n << 40n
    const message = { identityOwner: account.address, policyClient: client, clientUser }
    const terms = { ...message, identityDomains, deadline }
    const typedData = {
      domain: identityDomainOf(chainId, identityRegistry),
      ...identityLink,
      message: { ...terms, nonce },
    }
    const ownerSignature = await account.signTypedData(typedData)
    const userSignature = await attester.signTypedData(typedData)
    const signed = { ...terms, ownerSignature, userSignature }
    return { terms, gas: await gasOf(linkIdentity(transactor, identityRegistry, signed)) }
  }
  const domains = Array.from({ length: 50 }, (_, i) => keccak256(numberToHex(i)))
  const domain = domains[0]!
  const one = await link([domain], 0n)
  const many = await link(domains.slice(1), 1n)

  const dataType = 'blacklist'
  const provider = account.address
  await registerProvider(transactor, registry, { provider, dataType })
  const dataRefId = keccak256(domain)
  return {
    'linkIdentity, one domain': one.gas,
    'linkIdentity, 49 domains': many.gas,
    'revokeLinks, one domain': await gasOf(revokeLinks(byUser, identityRegistry, one.terms)),
    publish: await gasOf(publishData(transactor, registry, { domain, dataRefId })),
    grant: await gasOf(grantAccess(transactor, registry, { client, domain })),
    setSource: await gasOf(setSource(transactor, registry, { client, dataType, provider, domain })),
    revoke: await gasOf(revokeAccess(transactor, registry, { client, domain })),
  }
}

const lastGas = async ({ transactor }: World) =>
  Number((await transactor.client.getBlock()).gasUsed)
