import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import { type Brand, defaultBrand } from 'polgate-protocol/brand.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { explainEvaluation } from 'polgate-service/operators/policyExplanation.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { Store } from 'polgate-service/store/openStore.ts'
import type { TaskRecords } from '../taskRecords.ts'
import { createTaskTraceRecorder } from './recordTasks.ts'
import { taskEventsOf } from './taskChainEvents.ts'
import type { TraceSources } from './traceAnswer.ts'

/** CPU time of an explanation, milliseconds: it is made in the thread of the gateway. */
const explanationMs = 1_000

type Stack = {
  readonly records: Pick<TaskRecords, 'of'> | undefined
  readonly store: Pick<Store, 'tasks'>
  readonly chain: Pick<RunningAnvil, 'url'>
  readonly deployment: { readonly protocol: { readonly taskManager: string } }
  /** Operators in processes of their own. */
  readonly processes: readonly unknown[] | undefined
}

/**
 * Recording the paths of tasks in a stack: the parts of its service, and what the control listener reads.
 * Without, the parts are the given ones.
 */
export function stackTraces(options: {
  readonly taskTraces?: boolean | undefined
  readonly parts?: ServiceParts | undefined
  readonly brand?: Brand | undefined
}): {
  readonly given: ServiceParts | undefined
  sources(stack: Stack): TraceSources | undefined
} {
  if (options.taskTraces !== true) return { given: options.parts, sources: () => undefined }
  const recorder = createTaskTraceRecorder()
  const { regoNamespace: namespace } = options.brand ?? defaultBrand
  return {
    given: recorder.around(options.parts ?? {}),
    sources: ({ records, store, chain, deployment, processes }) => ({
      traceOf: recorder.of,
      recordOf: (taskId) => records?.of(taskId),
      async stateOf(taskId) {
        const task = await store.tasks.get(taskId)
        if (task === undefined) return null
        const { status, operatorResponses, result } = task
        return { status, operator_responses: [...(operatorResponses ?? [])], result }
      },
      events: taskEventsOf({
        rpcUrl: chain.url,
        taskManager: deployment.protocol.taskManager as Address,
      }),
      explain: (evaluation) => explainEvaluation(evaluation, { namespace, workMs: explanationMs }),
      operatorProcesses: processes !== undefined,
    }),
  }
}
