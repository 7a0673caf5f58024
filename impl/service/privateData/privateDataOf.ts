import { createHash } from 'node:crypto'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import type { OpeningTask } from '../operators/operator.ts'
import { privateDataFailed } from '../operators/operatorErrors.ts'
import type { PrivateData } from '../operators/privateData.ts'
import type { PrivateUses } from '../operators/privateUses.ts'
import { claimOf } from './grant.ts'
import type { GrantChain } from './grantChain.ts'
import { verifiedTask } from './grantedTask.ts'
import type { Opener } from './opener.ts'
import { type OpeningPlan, openingsOf, planOpenings } from './openingPlan.ts'
import { privateDocument } from './privateDocument.ts'
import type { SharedOpenings } from './sharedOpenings.ts'

export type PrivateDataOptions = {
  readonly chain: GrantChain
  readonly opener: Opener
  /** Of the operators of this process that open in the same way. */
  readonly openings: SharedOpenings
  /** Which private data the policy with a content id may use. @throws ServiceError */
  readonly usesOf: (policyCid: string, signal: AbortSignal) => Promise<PrivateUses>
}

/** More tasks than an operator has in flight. */
const maxVerified = 4_096

/** The private data of tasks for one operator, which verifies each of them against its own node. */
export function privateDataOf(options: PrivateDataOptions): PrivateData {
  const { chain, opener, openings, usesOf } = options
  /** What this operator itself has verified, by task. */
  const verified = new Map<Bytes32, string>()

  function remember(taskId: Bytes32, key: string): void {
    verified.delete(taskId)
    verified.set(taskId, key)
    for (const oldest of verified.keys()) {
      if (verified.size <= maxVerified) break
      verified.delete(oldest)
    }
  }

  return {
    async begin(task, signal) {
      const context = await verifiedTask(chain, { ...task, chainId: chain.chainId }, signal)
      const uses = await usesOf(context.policyCid, signal)
      const plan = await planned(() => planOpenings({ chain, uses, task, context }))
      const taskId = lower(task.taskId)
      const key = keyOf(taskId, plan)
      const { requests } = await openings.begin(key, plan, () => opener(openingsOf(plan)))
      remember(taskId, key)
      return { requests }
    },
    async open(taskId, { partials, onWrong }, use) {
      const key = verified.get(lower(taskId))
      if (key === undefined) throw privateDataFailed('its openings were not begun', true)
      return await openings.use(
        key,
        async ({ plan, openings: begun }) => {
          const plaintexts = await begun.open(partials, onWrong)
          try {
            return privateDocument(plan, plaintexts)
          } finally {
            for (const plaintext of plaintexts) plaintext.fill(0)
          }
        },
        use,
      )
    },
  }
}

const lower = (taskId: OpeningTask['taskId']) => taskId.toLowerCase() as Bytes32

/** Operators that may open the same envelopes of a task share the opening. */
function keyOf(taskId: Bytes32, plan: OpeningPlan): string {
  const hash = createHash('sha256')
  for (const { grant, envelope } of openingsOf(plan))
    hash.update(JSON.stringify([claimOf(grant), envelope]))
  // Without an envelope, what is missing may still differ.
  hash.update(
    JSON.stringify([
      plan.identity === null,
      Object.entries(plan.confidential).map(([type, { granted }]) => [type, granted]),
    ]),
  )
  return `${taskId} ${hash.digest('hex')}`
}

async function planned(plan: () => Promise<OpeningPlan>): Promise<OpeningPlan> {
  try {
    return await plan()
  } catch (error) {
    if (error instanceof EnvelopeError) throw privateDataFailed(error.message, false)
    throw error
  }
}
