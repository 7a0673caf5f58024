import { ChainWriteError } from 'polgate-chain/errors.ts'
import { policyDataOf } from 'polgate-chain/postTogether.ts'
import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import type { GasBurner } from '../store/gasBurners.ts'
import type { QueuedPosting } from '../store/postings.ts'
import type { TaskDeps } from './taskDeps.ts'

/** A result to post. */
export type Answered = {
  readonly posting: QueuedPosting
  readonly answer: OnChainAnswer
  readonly gas: bigint
}

/**
 * How a result may be posted (decision T10): with any others; apart from those of others, because its
 * PolicyData contracts or its key have burnt gas; or not at all, because its PolicyData contracts have
 * done so again and again.
 */
export type Standing =
  | { readonly kind: 'together' }
  | {
      readonly kind: 'apart'
      /** Results of the same subject are posted one transaction after the other. */
      readonly subject: string
      /** Whether a transaction has one of them. */
      readonly singly: boolean
    }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Gas of one transaction. Two fit into a block of 30 million, and one is below the limit of EIP-7825,
 * 16.7 million.
 */
const maxGas = 15_000_000n
/** Transactions for nothing after which results with the same PolicyData contracts are refused. */
const maxBurnt = 3
/** Subjects whose results are in flight at a time; half of the transactions that nodes keep. */
const maxSubjects = 8

export const isGasBurnt = (error: unknown): boolean =>
  error instanceof ChainWriteError && error.code === 'gas-burnt'

/**
 * The PolicyData contracts of a result as one subject: of several it is unknown which of them burnt the
 * gas, and a policy of somebody else may name any contract. Undefined without any.
 */
function policyDataSubject({ answer }: Pick<Answered, 'answer'>): string | undefined {
  const policyData = policyDataOf(answer)
  return policyData.length === 0 ? undefined : `PolicyData ${policyData.join(', ')}`
}

const keySubject = ({ posting }: Pick<Answered, 'posting'>): string => `API key ${posting.apiKeyId}`

/** Remembers, for all gateways, whose results are posted apart from those of others. */
export function postingIsolation(
  deps: Pick<TaskDeps, 'store' | 'log'> & { readonly chain: Pick<TaskDeps['chain'], 'chainId'> },
) {
  const { store, log } = deps
  const { chainId } = deps.chain

  return {
    /** In the order of the results. */
    async standings(results: readonly Answered[]): Promise<readonly Standing[]> {
      if (results.length === 0) return []
      const subjects = new Set(
        results.flatMap((each) => [policyDataSubject(each) ?? [], keySubject(each)].flat()),
      )
      const found = await store.gasBurners.find(chainId, [...subjects])
      const burners = new Map(found.map((each) => [each.subject, each]))
      return results.map((each) => standingOf(each, burners))
    },

    /**
     * A transaction was for nothing, as far as these results are concerned. In a transaction with others
     * only their contracts are known to be the reason: a key is remembered once a result of it fails
     * alone.
     */
    async burnt(results: readonly Answered[], alone: boolean): Promise<void> {
      const subjects = new Set<string>()
      for (const result of results) {
        const policyData = policyDataSubject(result)
        if (policyData === undefined) continue
        const { id: task, apiKeyId: keyId } = result.posting
        log.warn({ task, policyData, keyId, alone }, 'a result has burnt the gas of a transaction')
        subjects.add(policyData)
        if (alone) subjects.add(keySubject(result))
      }
      if (subjects.size > 0) await store.gasBurners.burnt(chainId, [...subjects])
    },
  }
}

function standingOf(result: Answered, burners: ReadonlyMap<string, GasBurner>): Standing {
  const policyData = burners.get(policyDataSubject(result) ?? '')
  if (policyData !== undefined) {
    const { subject, transactions, burntAt } = policyData
    if (transactions < maxBurnt) return { kind: 'apart', subject, singly: true }
    const why = `${subject} has burnt the gas of ${transactions} transactions, last at ${burntAt.toISOString()}: it accepts results in simulations, but not in transactions. Results with it are posted again a day after that; the owner of the policy has to replace it`
    return { kind: 'refused', why }
  }
  const key = burners.get(keySubject(result))
  return key === undefined
    ? { kind: 'together' }
    : { kind: 'apart', subject: key.subject, singly: false }
}

/**
 * The next transaction of every subject whose results are posted apart, unless one is in flight, and the
 * results that have to wait.
 */
export function apart(
  results: readonly Answered[],
  standings: readonly Standing[],
  inFlight: ReadonlySet<string>,
) {
  const bySubject = new Map<string, { readonly singly: boolean; readonly all: Answered[] }>()
  for (const [at, standing] of standings.entries()) {
    if (standing.kind !== 'apart') continue
    const { subject, singly } = standing
    const known = bySubject.get(subject) ?? { singly, all: [] }
    bySubject.set(subject, known)
    known.all.push(results[at]!)
  }
  const batches: { readonly subject: string; readonly batch: readonly Answered[] }[] = []
  const later: Answered[] = []
  for (const [subject, { singly, all }] of bySubject) {
    const isFree = !inFlight.has(subject) && inFlight.size + batches.length < maxSubjects
    const batch = !isFree ? [] : singly ? all.slice(0, 1) : (batchesOf(all)[0] ?? [])
    if (batch.length > 0) batches.push({ subject, batch })
    later.push(...all.slice(batch.length))
  }
  return { batches, later: later.map(({ posting }) => posting.id) }
}

/** In their order, as many together as one transaction can have. */
export function batchesOf(answers: readonly Answered[]): readonly (readonly Answered[])[] {
  const batches: Answered[][] = []
  let sum = maxGas
  for (const each of answers) {
    sum += each.gas
    if (sum > maxGas) {
      batches.push([])
      sum = each.gas
    }
    batches.at(-1)!.push(each)
  }
  return batches
}
