import type { Static } from '@sinclair/typebox'
import {
  type ExplorerPage,
  type ExplorerPolicy,
  ExplorerPolicy as ExplorerPolicySchema,
  ExplorerStats,
  explorerDetail,
  explorerPageOf,
  type Network,
  TaskDetail,
  TaskSummary,
} from 'polgate-protocol/explorer.ts'
import { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Unnamed } from '../../store/explorer/explorerQueries.ts'
import type { PageOptions } from '../../store/explorer/pages.ts'
import { fromInstant, untilInstant } from './instant.ts'
import { NoQuery, PageQuery, WindowsQuery } from './queryParams.ts'
import { type Route, route } from './route.ts'

const pageOptions = ({ page, size, as_of }: Static<typeof PageQuery>): PageOptions => ({
  page,
  size,
  ...(as_of === undefined ? {} : { asOf: as_of }),
})

const namedTask = <T extends Unnamed<TaskSummary>>({ id, ...rest }: T, network: Network) => ({
  id,
  network,
  ...rest,
})

const namedPolicy = ({ address, ...rest }: Unnamed<ExplorerPolicy>, network: Network) => ({
  address,
  network,
  ...rest,
})

const named = <T, U>(
  { total, page, size, results }: ExplorerPage<T>,
  network: Network,
  name: (row: T, network: Network) => U,
) => ({ total, page, size, results: results.map((row) => name(row, network)) })

const order = 'Newest first: by the block it was created in, then by id.'

/** The seven paths of section 4.12. */
export const routes: readonly Route[] = [
  route({
    name: 'getTask',
    path: '/v1/task/{task_id}',
    summary: 'One task with all its details',
    description: 'Members of events that have not happened are null.',
    named: { name: 'task_id', schema: Bytes32, description: 'Task id, in either letter case.' },
    query: NoQuery,
    result: TaskDetail,
    notFound: explorerDetail.taskNotFound,
    async answer({ queries, chainId, named: id, network }) {
      const task = await queries.task(chainId, id)
      return task && namedTask(task, network)
    },
  }),
  route({
    name: 'listTasks',
    path: '/v1/task',
    summary: 'Tasks of the network',
    description: order,
    query: PageQuery,
    result: explorerPageOf(TaskSummary),
    async answer({ queries, chainId, query, network }) {
      return named(await queries.tasks(chainId, pageOptions(query)), network, namedTask)
    },
  }),
  route({
    name: 'getPolicy',
    path: '/v1/policy/{address}',
    summary: 'One policy',
    named: { name: 'address', schema: Address, description: 'Its address, in any letter case.' },
    query: NoQuery,
    result: ExplorerPolicySchema,
    notFound: explorerDetail.policyNotFound,
    async answer({ queries, chainId, named: address, network }) {
      const policy = await queries.policy(chainId, address)
      return policy && namedPolicy(policy, network)
    },
  }),
  route({
    name: 'listPolicies',
    path: '/v1/policy',
    summary: 'Policies of the network',
    description: 'Newest first: by the block it was deployed in, then by address.',
    query: PageQuery,
    result: explorerPageOf(ExplorerPolicySchema),
    async answer({ queries, chainId, query, network }) {
      return named(await queries.policies(chainId, pageOptions(query)), network, namedPolicy)
    },
  }),
  route({
    name: 'listTasksOfPolicyId',
    path: '/v1/policy/id/{policy_id}/task',
    summary: 'Tasks evaluated with a policy and its parameters',
    description: `${order} An unknown id has no tasks.`,
    named: { name: 'policy_id', schema: Bytes32, description: 'Policy id, in either letter case.' },
    query: PageQuery,
    result: explorerPageOf(TaskSummary),
    async answer({ queries, chainId, named: id, query, network }) {
      const page = await queries.tasksOfPolicyId(chainId, id, pageOptions(query))
      return named(page, network, namedTask)
    },
  }),
  route({
    name: 'listTasksOfPolicyAddress',
    path: '/v1/policy/address/{policy_address}/task',
    summary: 'Tasks evaluated with a policy, with any parameters',
    description: `${order} An unknown address has no tasks.`,
    named: {
      name: 'policy_address',
      schema: Address,
      description: 'Address of the policy, in any letter case.',
    },
    query: PageQuery,
    result: explorerPageOf(TaskSummary),
    async answer({ queries, chainId, named: address, query, network }) {
      const page = await queries.tasksOfPolicyAddress(chainId, address, pageOptions(query))
      return named(page, network, namedTask)
    },
  }),
  route({
    name: 'getStats',
    path: '/v1/stats',
    summary: 'Number of tasks and policies in a time window',
    description:
      'Without a policy window all policies are counted. A task counts at the time of its creation on chain, or of its admission if it never reached the chain.',
    query: WindowsQuery,
    result: ExplorerStats,
    answer: ({ queries, chainId, query }) =>
      queries.stats(chainId, {
        tasks: {
          start: fromInstant(query.task_window_start),
          end: query.task_window_end && untilInstant(query.task_window_end),
        },
        policies: {
          start: query.policy_window_start && fromInstant(query.policy_window_start),
          end: query.policy_window_end && untilInstant(query.policy_window_end),
        },
      }),
  }),
]
