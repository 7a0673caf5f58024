import { ChainReadError } from 'polgate-chain/errors.ts'
import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import type { ClientContext } from 'polgate-chain/reads.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { invalidFormat, ServiceError } from 'polgate-protocol/serviceError.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import type { DataSource, Operator } from '../operators/operator.ts'
import { dataSource } from './dataSource.ts'
import { eligibleOperators } from './operatorErrors.ts'
import type { PreparedTask } from './prepare.ts'
import { noOperator } from './quorumFailure.ts'
import { readOnceKnown } from './readOnceKnown.ts'
import { type Stakes, stakesOf } from './stakeRule.ts'
import type { ClientAndOperators } from './taskChain.ts'
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

export type TaskContextOptions = {
  /** The task's reference block. */
  readonly block: number
  /** What its admission has read. */
  readonly read?: ClientAndOperators | undefined
  /** Told of the client as soon as it is read, before anything about it is refused. */
  readonly onClient?: (client: ClientContext) => void
}

/**
 * Reads the chain once, as of the task's reference block, unless its admission has read it; and the
 * sealed secrets of the client's data sources.
 *
 * @throws ChainReadError, ServiceError -32602, -32616, -32618, -32619; TaskFailure when no operator
 * that is connected is registered
 */
export async function readTaskContext(
  deps: TaskDeps,
  task: PreparedTask,
  { block, read, onClient }: TaskContextOptions,
): Promise<TaskContext> {
  const { client, operatorSet } = read ?? (await readClientAndOperators(deps, task, block))
  onClient?.(client)
  requireServable(deps, task, client)
  const sources = await Promise.all(
    client.policyData.map((source) => dataSource(deps, task.policyClient, source, task.wasmArgs)),
  )
  const { eligible, absent } = eligibleOperators(deps.operators, operatorSet, deps.clock)
  const stakes = stakesOf(operatorSet, task.threshold)
  if (eligible.length === 0) throw noOperator(deps.operators, { errors: absent, stakes })
  return { client, operatorSet, stakes, operators: eligible, absent, sources }
}

/**
 * Whether this service can evaluate the tasks of a client at all.
 *
 * @throws ServiceError -32616 for another task manager, -32618, -32619
 */
export function requireServable(
  deps: Pick<TaskDeps, 'chain' | 'minimumVersions'>,
  { policyClient }: PreparedTask,
  client: ClientContext,
): void {
  requireCompatible({ policy: client.version, policyData: sourcesOf(client) }, deps.minimumVersions)
  if (client.taskManager.toLowerCase() === deps.chain.taskManager.toLowerCase()) return
  throw new ServiceError(
    `policy client ${policyClient} trusts another task manager, ${client.taskManager}`,
    {
      code: errorCode.contract,
      clause: 'section 7.2',
      hint: 'Deploy the client with the task manager of this service.',
    },
  )
}

/** @throws ChainReadError, ServiceError -32602 for a quorum that the registry does not know */
export async function readClientAndOperators(
  deps: Pick<TaskDeps, 'chain'>,
  task: PreparedTask,
  block: number,
): Promise<ClientAndOperators> {
  try {
    return await readOnceKnown(deps.chain, block, () =>
      deps.chain.clientAndOperators(task.policyClient, task.quorums, block),
    )
  } catch (error) {
    const revert = error instanceof ChainReadError ? error.revert : undefined
    if (revert?.errorName !== 'UnknownQuorum') throw error
    throw invalidFormat(`quorum_number names quorum ${revert.args[0]}, which does not exist`)
  }
}

const sourcesOf = ({ policyData }: ClientContext) =>
  policyData.map(({ policyDataAddress: address, version }) => ({ address, version }))
