import type { TaskResponse } from 'polgate-chain/types.ts'
import type { TaskIntent } from 'polgate-protocol/intent.ts'
import type { Data } from 'polgate-protocol/scalars.ts'
import { parseIntent } from '../intents/intent.ts'
import type { ResponseDraft } from './operator.ts'

/** The tuple of decisions section 3 that operators sign and the contract verifies. */
export const taskResponseOf = (
  draft: ResponseDraft,
  intent: TaskIntent,
  evaluationResult: Data,
): TaskResponse => ({
  taskId: draft.taskId,
  policyClient: draft.policyClient,
  policyId: draft.policyId,
  policyAddress: draft.policyAddress,
  intent: parseIntent(intent),
  intentSignature: draft.intentSignature,
  evaluationResult,
  policyTaskData: draft.policyTaskData,
  policyConfig: draft.policyConfig,
})
