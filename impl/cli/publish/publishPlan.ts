import type { Address } from 'viem'
import { type Publication, writePublication } from './publication.ts'
import {
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
  setPolicyGas,
  setPolicyOf,
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
  else if (!isCurrent || !(await hasPolicy(job, policy, address)))
    steps.push({ name: 'setPolicy', shown: `setPolicy of ${address}`, gas: setPolicyGas(job) })
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

/** The client of an earlier publication, if it is there, its code is that of the package, and it is ours. */
async function reusable(job: PublishJob, { client }: Publication): Promise<Publication['client']> {
  if (client === undefined || client.code !== job.client.code) return undefined
  const address = client.address as Address
  if (!(await hasCode(job.owner, address))) return undefined
  if (job.client.canSetPolicy && (await canSet(job, address))) return client
  const policy = await job.owner.client
    .readContract({ address, abi: job.client.abi, functionName: 'getPolicyAddress' })
    .catch(ofAnother)
  return policy !== undefined && (await hasPolicy(job, policy as Address, address))
    ? client
    : undefined
}

/** What another contract does not answer is undefined; what cannot be read is an error. */
function ofAnother(error: unknown): undefined {
  if (isOfContract(error)) return undefined
  throw error
}

/** On a chain that was started anew, another contract may have the address. */
async function canSet({ owner, client }: PublishJob, address: Address): Promise<boolean> {
  const found = await owner.client
    .readContract({ address, abi: client.abi, functionName: 'getOwner' })
    .catch(ofAnother)
  return String(found).toLowerCase() === owner.account.address.toLowerCase()
}

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
 * @throws ChainWriteError
 */
export async function runPlan(
  job: PublishJob,
  known: Publication,
  { onStep }: { readonly onStep: (text: string) => void },
): Promise<Publication> {
  const { directory } = job.given
  const state: Mutable = { ...known, policyData: { ...known.policyData } }
  const save = () => writePublication(directory, state)
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
  } else if (!(await hasPolicy(job, policy, state.client.address as Address))) {
    await setPolicyOf(job, state.client.address as Address, policy)
    await done(`set       the policy of ${state.client.address}`)
  }
  return state
}
