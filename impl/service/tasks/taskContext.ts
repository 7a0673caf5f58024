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
import { readWhenKnown } from './readWhenKnown.ts'
import { type Stakes, stakesOf } from './stakeRule.ts'
import type { ClientAndOperators } from './taskChain.ts'
import type { TaskDeps } from './taskDeps.ts'
import { requireCompatible } from './versions.ts'

/** All data about a task from chain and store, at one block. */
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
  /** What admission has read. */
  readonly read?: ClientAndOperators | undefined
  /** Called with the client as soon as it is read, before it is validated. */
  readonly onClient?: (client: ClientContext) => void
}

/**
 * Reads the chain at the task's reference block, unless admission has done so, and the sealed
 * secrets of the client's data sources.
 *
 * @throws ChainReadError, ServiceError -32602, -32616, -32618, -32619; TaskFailure when no
 * connected operator is registered
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
 * Checks that this service can evaluate tasks of a client at all.
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

/** @throws ChainReadError, ServiceError -32602 for a quorum that is not in the registry */
export async function readClientAndOperators(
  deps: Pick<TaskDeps, 'chain'>,
  task: PreparedTask,
  block: number,
): Promise<ClientAndOperators> {
  try {
    return await readWhenKnown(deps.chain, block, () =>
      deps.chain.clientAndOperators(task.policyClient, task.quorums, block),
    )
  } catch (error) {
    const revert = error instanceof ChainReadError ? error.revert : undefined
    if (revert?.errorName !== 'UnknownQuorum') throw error
    throw invalidFormat(`quorum_number contains quorum ${revert.args[0]}, which does not exist`)
  }
}

const sourcesOf = ({ policyData }: ClientContext) =>
  policyData.map(({ policyDataAddress: address, version }) => ({ address, version }))
