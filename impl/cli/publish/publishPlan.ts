import { sampleClientAbi } from 'polgate-chain/artifacts/abis.ts'
import { type Abi, type Address, zeroAddress } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import { type Publication, writePublication } from './publication.ts'
import {
  callClient,
  callsGas,
  clientGas,
  createClient,
  createdAt,
  createPolicy,
  createPolicyData,
  hasCode,
  hasPolicy,
  isOfContract,
  isPolicy,
  isPolicyData,
  type PublishJob,
  policiesSince,
  policyDataGas,
  policyGas,
  type Step,
  untilMinedOrUnknown,
} from './publishSteps.ts'

export type PlannedStep = Step

type Mutable = {
  -readonly [Name in keyof Publication]: Publication[Name]
}

/**
 * What is missing or out of date on chain. What an interrupted run sent is found and not sent again.
 *
 * @throws ChainReadError if the chain cannot be read
 */
export async function planOf(
  job: PublishJob,
  publication: Publication,
): Promise<{ readonly steps: readonly PlannedStep[]; readonly known: Publication }> {
  const known = await withPending(job, publication)
  const steps: PlannedStep[] = []
  const policyData: Address[] = []
  const current: Record<string, Address> = {}
  for (const { id } of job.contents.oracles) {
    const address = known.policyData[id] as Address | undefined
    if (address !== undefined && (await isPolicyData(job, id, address))) {
      current[id] = address
      policyData.push(address)
    } else steps.push({ name: id, shown: `PolicyData of oracle ${id}`, gas: policyDataGas(job) })
  }
  const policy = known.policy as Address | undefined
  const isCurrent =
    policy !== undefined && steps.length === 0 && (await isPolicy(job, policyData, policy))
  if (!isCurrent)
    steps.push({ name: 'policy', shown: `Policy ${job.given.entrypoint}`, gas: policyGas(job) })
  const client = await reusable(job, known)
  const address = client?.address as Address | undefined
  if (address === undefined)
    steps.push({ name: 'client', shown: 'policy client', gas: clientGas(job) })
  if (address === undefined || (await isUninitialized(job, address)))
    steps.push(...firstCalls(job, address === undefined))
  else if (!isCurrent || !(await hasPolicy(job, policy, address)))
    steps.push(callStep(job, 'setPolicy', ` of ${address}`))
  const { pending: _, policy: __, client: ___, ...where } = known
  return {
    steps,
    known: {
      ...where,
      policyData: current,
      ...(isCurrent ? { policy } : {}),
      ...(client === undefined ? {} : { client }),
    },
  }
}

/** What a new client is called with, before it has its policy. */
function firstCalls(job: PublishJob, isNew: boolean): readonly PlannedStep[] {
  const { initialize, firstPolicyBy } = job.client
  return [
    ...(initialize === undefined ? [] : [callStep(job, 'initialize', ' of the client')]),
    ...(firstPolicyBy === 'setPolicy' || (firstPolicyBy === 'constructor' && !isNew)
      ? [callStep(job, 'setPolicy', ' of the client')]
      : []),
  ]
}

function callStep(job: PublishJob, name: 'initialize' | 'setPolicy', of: string): PlannedStep {
  const calls = job.client[name]?.(zeroAddress) ?? []
  const shown = calls.map(({ functionName }) => functionName).join(', ') || name
  return { name, shown: shown + of, gas: callsGas(job, calls) }
}

/** The client of an earlier publication, if it is there, its code is that of the package, and it is ours. */
async function reusable(job: PublishJob, { client }: Publication): Promise<Publication['client']> {
  if (client === undefined || client.code !== job.client.code) return undefined
  const address = client.address as Address
  if (!(await hasCode(job.owner, address))) return undefined
  if (await canSet(job, address)) return client
  if (await isUninitialized(job, address)) return client
  const policy = await policyOf(job, address)
  return policy !== undefined && (await hasPolicy(job, policy as Address, address))
    ? client
    : undefined
}

/** What another contract does not answer is undefined; what cannot be read is an error. */
function ofAnother(error: unknown): undefined {
  if (isOfContract(error)) return undefined
  throw error
}

const ownAccount = ({ owner }: PublishJob) => owner.account.address.toLowerCase()

/** Lower case. On a chain that was started anew, another contract may have the address: undefined. */
async function ownerOf(
  { owner }: Pick<PublishJob, 'owner'>,
  address: Address,
): Promise<string | undefined> {
  const found = await owner.client
    .readContract({ address, abi: sampleClientAbi, functionName: 'getOwner' })
    .catch(ofAnother)
  return found?.toLowerCase()
}

const policyOf = ({ owner }: PublishJob, address: Address) =>
  owner.client
    .readContract({ address, abi: sampleClientAbi, functionName: 'getPolicyAddress' })
    .catch(ofAnother)

/** The owner can, and who may call the setter: a client may distinguish them. */
async function canSet(job: PublishJob, address: Address): Promise<boolean> {
  if (job.client.setPolicy === undefined) return false
  const owner = await ownerOf(job, address)
  if (owner === undefined || owner === ownAccount(job)) return owner !== undefined
  const current = await policyOf(job, address)
  const [call] = current === undefined ? [] : job.client.setPolicy(current)
  if (call === undefined || current === zeroAddress) return false
  const { client, account } = job.owner
  const { functionName, args } = call
  return await client
    .simulateContract({
      ...{ address, abi: call.abi as Abi, functionName, args, account: account.address },
    })
    .then(
      () => true,
      (error: unknown) => ofAnother(error) ?? false,
    )
}

/**
 * The publication with a client that was deployed otherwise: it is given the policy.
 *
 * @throws CommandError if the deployer cannot do that
 */
export async function withClient(
  job: PublishJob,
  publication: Publication,
  address: Address,
): Promise<Publication> {
  if (job.client.setPolicy === undefined)
    throw new CommandError(`${job.given.placeOf('client')} no function gives a client its policy`, {
      hint: 'Name it: client: { setPolicy: "configurePolicy(address,(bytes,uint32))" }.',
    })
  const found = await ownerOf(job, address)
  if (!(await canSet(job, address)) && !(await isUninitialized(job, address)))
    throw new CommandError(
      found === undefined
        ? `${address} is not a policy client`
        : `the owner of ${address} is ${found}, not ${job.owner.account.address}`,
      {
        hint:
          found === undefined
            ? 'A policy client answers getOwner() with its owner.'
            : 'Pass --key with the account of its owner.',
      },
    )
  return { ...publication, client: { address, code: job.client.code } }
}

/** Deployed, but not called yet: an interrupted run has left it so. */
const isUninitialized = async (job: PublishJob, address: Address): Promise<boolean> =>
  job.client.initialize !== undefined &&
  (await ownerOf(job, address)) === zeroAddress &&
  (await policyOf(job, address)) === zeroAddress

/** The publication with what a transaction of an interrupted run has created. */
async function withPending(job: PublishJob, publication: Publication): Promise<Publication> {
  const { pending, ...rest } = publication
  if (pending === undefined) return publication
  await untilMinedOrUnknown(job, pending)
  if (pending.step === 'policy') {
    const policyData = job.contents.oracles.map(({ id }) => rest.policyData[id] as Address)
    if (policyData.includes(undefined as never)) return rest
    for (const address of await policiesSince(job, pending))
      if (await isPolicy(job, policyData, address)) return { ...rest, policy: address }
    return rest
  }
  const address = await createdAt(job, pending)
  if (address === undefined) return rest
  if (pending.step === 'client') return { ...rest, client: { address, code: job.client.code } }
  const isOracle = job.contents.oracles.some(({ id }) => id === pending.step)
  return isOracle ? { ...rest, policyData: { ...rest.policyData, [pending.step]: address } } : rest
}

/**
 * Deploys what is missing, step by step; the state file is written before and after each transaction.
 *
 * @param options.onStep is called between transactions: where it throws, the others are not sent
 * @throws ChainWriteError
 */
export async function runPlan(
  job: PublishJob,
  known: Publication,
  { onStep }: { readonly onStep: (text: string) => void },
): Promise<Publication> {
  const { directory } = job.given
  const state: Mutable = { ...known, policyData: { ...known.policyData } }
  const save = () => writePublication(directory, state, job.stateFile)
  async function send<T>(step: string, work: () => Promise<T>): Promise<T> {
    const { client, account } = job.owner
    const [nonce, block] = await Promise.all([
      client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
      client.getBlockNumber({ cacheTime: 0 }),
    ])
    state.pending = { step, nonce, block: Number(block) }
    await save()
    return await work()
  }
  const done = async (text: string) => {
    delete state.pending
    await save()
    onStep(text)
  }

  // What an interrupted run had sent is known now.
  await save()
  const policyData: Address[] = []
  for (const { id } of job.contents.oracles) {
    const found = state.policyData[id] as Address | undefined
    const address = found ?? (await send(id, () => createPolicyData(job, id)))
    policyData.push(address)
    if (found !== undefined) continue
    state.policyData = { ...state.policyData, [id]: address }
    await done(`deployed  PolicyData of oracle ${id}  ${address}`)
  }
  if (state.policy === undefined) {
    state.policy = await send('policy', () => createPolicy(job, policyData))
    await done(`deployed  Policy  ${state.policy}`)
  }
  const policy = state.policy as Address
  if (state.client === undefined) {
    const address = await send('client', () => createClient(job, policy))
    state.client = { address, code: job.client.code }
    await done(`deployed  policy client  ${address}`)
  }
  const address = state.client.address as Address
  if (await isUninitialized(job, address)) {
    await callClient(job, address, job.client.initialize?.(policy) ?? [])
    await done(`called    initialize of ${address}`)
  }
  const calls = job.client.setPolicy?.(policy)
  if (calls !== undefined && !(await hasPolicy(job, policy, address))) {
    await callClient(job, address, calls)
    await done(`set       the policy of ${address}`)
  }
  return state
}
