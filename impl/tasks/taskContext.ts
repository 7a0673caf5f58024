import type { OperatorSet } from '../../chain/operatorSet.ts'
import type { ClientContext } from '../../chain/reads.ts'
import type { DataSource, Operator } from '../operators/operator.ts'
import { errorCode } from '../protocol/jsonRpc.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import type { OperatorError } from '../protocol/task.ts'
import { eligibleOperators } from './operatorErrors.ts'
import type { PreparedTask } from './prepare.ts'
import { type Stakes, stakesOf } from './stakeRule.ts'
import type { TaskDeps } from './taskDeps.ts'
import { requireCompatible } from './versions.ts'

/** Everything about a task that the chain and the store know, of one block. */
export type TaskContext = {
  readonly client: ClientContext
  readonly operatorSet: OperatorSet
  readonly stakes: Stakes
  readonly operators: readonly Operator[]
  readonly absent: readonly OperatorError[]
  readonly sources: readonly DataSource[]
}

/**
 * Reads the chain once, for one block, and the sealed secrets of the client's data sources.
 *
 * @throws ChainReadError, ServiceError -32616, -32618, -32619
 */
export async function readTaskContext(
  deps: TaskDeps,
  task: PreparedTask,
  signal: AbortSignal,
): Promise<TaskContext> {
  const client = await deps.chain.clientContext(task.policyClient, signal)
  requireCompatible({ policy: client.version, policyData: sourcesOf(client) }, deps.minimumVersions)
  if (client.taskManager.toLowerCase() !== deps.chain.taskManager.toLowerCase()) {
    throw new ServiceError(
      `policy client ${task.policyClient} trusts another task manager, ${client.taskManager}`,
      {
        code: errorCode.contract,
        clause: 'section 7.2',
        hint: 'Deploy the client with the task manager of this service.',
      },
    )
  }
  const [operatorSet, sources] = await Promise.all([
    deps.chain.operatorSet(task.quorums, client.blockNumber, signal),
    Promise.all(client.policyData.map((source) => dataSource(deps, task, source))),
  ])
  const { eligible, absent } = eligibleOperators(deps.operators, operatorSet, deps.clock)
  const stakes = stakesOf(operatorSet, task.threshold)
  return { client, operatorSet, stakes, operators: eligible, absent, sources }
}

const sourcesOf = ({ policyData }: ClientContext) =>
  policyData.map(({ policyDataAddress: address, version }) => ({ address, version }))

async function dataSource(
  deps: TaskDeps,
  task: PreparedTask,
  source: ClientContext['policyData'][number],
): Promise<DataSource> {
  const { policyDataAddress, wasmCid, secretsSchemaCid } = source
  const scope = { policyClient: task.policyClient, policyDataAddress }
  const envelope = secretsSchemaCid === '' ? undefined : await deps.secrets.get(scope)
  return { policyDataAddress, wasmCid, wasmArgs: task.wasmArgs, envelope: envelope ?? null }
}
