import type { ClientContext } from 'polgate-chain/reads.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { dataReferenceOf } from '../envelopes/dataReference.ts'
import { parseEnvelope } from '../envelopes/envelope.ts'
import type { OpeningTask } from '../operators/operator.ts'
import { privateDataFailed } from '../operators/operatorErrors.ts'
import type { PrivateUses } from '../operators/privateUses.ts'
import type { Grant } from './grant.ts'
import type { GrantChain } from './grantChain.ts'
import { type GrantedTask, userOf } from './grantedTask.ts'
import { grantRefused } from './grantRefused.ts'
import { linksAt, same, sourcesAt } from './inForce.ts'

/** One envelope to open. */
export type PlannedOpening = {
  readonly grant: Grant
  readonly envelope: string
  /** What it is sealed for (decisions K2 and K4). */
  readonly sealedFor: Address
}

/** All that a policy may use in one task, as an operator's own node says. */
export type OpeningPlan = {
  /** One per domain; null if the user has linked none, or nothing is registered. */
  readonly identity: readonly PlannedOpening[] | null
  /** By data type; `opening` is null for data that is not granted or not published. */
  readonly confidential: Readonly<
    Record<string, { readonly granted: boolean; readonly opening: PlannedOpening | null }>
  >
  /** By name. */
  readonly privacy: Readonly<Record<string, PlannedOpening>>
}

/** In the order of the opener's requests. */
export const openingsOf = ({ identity, confidential, privacy }: OpeningPlan): PlannedOpening[] => [
  ...(identity ?? []),
  ...Object.values(confidential).flatMap(({ opening }) => opening ?? []),
  ...Object.values(privacy),
]

export type OpeningPlanOptions = {
  readonly chain: GrantChain
  readonly uses: PrivateUses
  readonly task: OpeningTask
  /** Of the client at the task's reference block. */
  readonly context: ClientContext
}

/**
 * What a task needs and may open. The gateway only supplies envelopes: one that it withholds makes
 * the task fail, because data that a policy does not get could decide it.
 *
 * @throws ServiceError for an envelope that is missing, for what was revoked after the task's block,
 * and if the node does not answer
 */
export async function planOpenings(options: OpeningPlanOptions): Promise<OpeningPlan> {
  const { uses, task, chain } = options
  const supplied = new Map(task.envelopes.map((envelope) => [dataReferenceOf(envelope), envelope]))
  const [identity, confidential] = await Promise.all([
    uses.identity ? planIdentity(options, supplied) : null,
    planConfidential(options, supplied),
  ])
  const granted = grantedTask(chain, task)
  const privacy = uses.privacy
    ? Object.entries(task.privacy).map(([name, envelope]) => [
        name,
        planned({ kind: 'ephemeral', ...granted }, envelope, task.policyClient),
      ])
    : []
  return { identity, confidential, privacy: Object.fromEntries(privacy) }
}

type Supplied = ReadonlyMap<string, string>

async function planIdentity(
  { chain, task, context }: OpeningPlanOptions,
  supplied: Supplied,
): Promise<OpeningPlan['identity']> {
  const { policyClient, referenceBlock } = task
  const clientUser = await userOf(task, context)
  if (clientUser === undefined) return null
  const links = await linksAt(chain, { policyClient, clientUser }, referenceBlock)
  const bound = links.filter(({ dataRefId }) => dataRefId !== '')
  if (bound.length === 0) return null
  return bound.map(({ identityDomain: domain, identityOwner, dataRefId, inForce }) => {
    if (!inForce) throw grantRefused('the link of the identity was revoked', true)
    const grant = { kind: 'identity', ...grantedTask(chain, task), domain } as const
    const envelope = envelopeOf(supplied, dataRefId, `identity data ${dataRefId}`)
    // With a single key no member checks the grant again.
    return planned(grant, envelope, identityOwner)
  })
}

async function planConfidential(
  { chain, uses, task }: OpeningPlanOptions,
  supplied: Supplied,
): Promise<OpeningPlan['confidential']> {
  const { confidential: types } = uses
  if (types !== 'all' && types.length === 0) return {}
  const sources = await sourcesAt(chain, task.policyClient, task.referenceBlock)
  const used = sources.filter(({ dataType }) => types === 'all' || types.includes(dataType))
  const entries = used.map((source) => {
    const { dataType, provider, domain, dataRefId, granted, inForce } = source
    if (!granted || dataRefId === '') return [dataType, { granted, opening: null }]
    if (!inForce) throw grantRefused('the grant of the provider was revoked', true)
    const part = { provider, domain, dataType }
    const grant = { kind: 'confidential', ...grantedTask(chain, task), ...part } as const
    const envelope = envelopeOf(supplied, dataRefId, `confidential data ${dataRefId}`)
    return [dataType, { granted, opening: planned(grant, envelope, provider) }]
  })
  return Object.fromEntries(entries)
}

const grantedTask = ({ chainId }: GrantChain, task: OpeningTask): GrantedTask => ({
  chainId,
  taskId: task.taskId,
  policyClient: task.policyClient,
  referenceBlock: task.referenceBlock,
  nonce: task.nonce,
  intent: task.intent,
  intentSignature: task.intentSignature,
})

/** @param owner whom it has to be sealed for: anybody can register a copy of an envelope */
function planned(grant: Grant, envelope: string, owner: Address): PlannedOpening {
  const { policy_client: sealedFor, bound_use } = parseEnvelope(envelope)
  if (bound_use !== undefined && bound_use !== grant.kind)
    throw grantRefused(`the envelope is sealed for use ${bound_use}, not ${grant.kind}`)
  if (!same(sealedFor, owner))
    throw grantRefused(`the envelope is sealed for ${sealedFor}, not ${owner}`)
  return { grant, envelope, sealedFor }
}

function envelopeOf(supplied: Supplied, reference: string, what: string): string {
  const envelope = supplied.get(reference.toLowerCase() as never)
  if (envelope === undefined)
    throw privateDataFailed(`the gateway has no ${what.slice(0, 100)}`, false)
  return envelope
}
