import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Hono } from 'hono'
import { type TaskList, type TaskListRow, taskStatuses } from 'polgate-protocol/control/taskList.ts'
import { outcomesOverTime } from 'polgate-protocol/control/taskOutcomes.ts'
import { encodeEvaluationResult } from 'polgate-service/operators/evaluationResult.ts'
import type { Database } from 'polgate-service/store/database.ts'
import {
  countTasks,
  type FoundTask,
  latestOutcomes,
  searchTasks,
} from 'polgate-service/store/taskSearch.ts'
import { reasonsOf, type TaskRecords } from './taskRecords.ts'

/** Decision T11: what the contract lets pass. */
const allowing = ['true', '"true"'].map((json) => encodeEvaluationResult(json).slice(2))

const Query = Type.Object(
  {
    page: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,6}$' })),
    size: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|100)$' })),
    status: Type.Optional(Type.Union(taskStatuses.map((each) => Type.Literal(each)))),
    method: Type.Optional(Type.Union([Type.Literal('createTask'), Type.Literal('sendTask')])),
    client: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })),
    decision: Type.Optional(Type.Union([Type.Literal('allow'), Type.Literal('deny')])),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
)

/** Tasks whose outcomes are counted. */
const counted = 1_000

/**
 * `GET /tasks`: the tasks of this gateway, also those in progress, with filters. `GET /tasks/outcomes`: how the
 * latest of them ended, over time.
 */
export function addTaskListRoutes(
  app: Hono,
  database: Pick<Database, 'query'>,
  records: Pick<TaskRecords, 'of'> | undefined,
): void {
  app.get('/tasks/outcomes', async (c) => {
    const found = await latestOutcomes(database, counted)
    return c.json(
      outcomesOverTime(
        found.map(({ createdAt, status, evaluationResult }) => ({
          ...{ createdAt: createdAt.toISOString(), status },
          decision: decisionOf(evaluationResult),
        })),
      ),
    )
  })

  app.get('/tasks', async (c) => {
    const query: unknown = c.req.query()
    if (!Value.Check(Query, query)) {
      const first = Value.Errors(Query, query).First()
      return c.json({ error: `the query is not valid: ${first?.path.slice(1)}` }, 422)
    }
    const { status, method, client, decision, text } = query
    const size = Number(query.size ?? 50)
    const page = Number(query.page ?? 1)
    const isFiltered = [status, method, client, decision, text].some((each) => each !== undefined)
    const found = await searchTasks(database, {
      ...{
        status: status as TaskListRow['status'] | undefined,
        method,
        policyClient: client,
        text,
      },
      result:
        decision === undefined ? undefined : { isOneOf: decision === 'allow', values: allowing },
      ...{ limit: size + 1, offset: (page - 1) * size },
    })
    return c.json({
      ...{
        page,
        size,
        rows: found.slice(0, size).map((task) => rowOf(task, records?.of(task.id))),
        more: found.length > size,
      },
      total: isFiltered ? null : await countTasks(database),
    } satisfies TaskList)
  })
}

const rowOf = (task: FoundTask, record: ReturnType<TaskRecords['of']>): TaskListRow => ({
  id: task.id,
  status: task.status,
  method: task.method,
  client: task.policyClient,
  decision: decisionOf(task.evaluationResult),
  error: task.error,
  reasons: task.evaluationResult === null ? [] : reasonsOf(record, `0x${task.evaluationResult}`),
  createdAt: task.createdAt.toISOString(),
  finishedAt: task.finishedAt?.toISOString() ?? null,
  posting: task.posting,
  spentAt: task.spentAt === null ? null : new Date(Number(task.spentAt) * 1_000).toISOString(),
  challenge: challengeOf(task),
})

function decisionOf(result: string | null): TaskListRow['decision'] {
  if (result === null) return null
  return allowing.includes(result) ? 'allow' : 'deny'
}

function challengeOf({ challengedAt, challengeSuccess }: FoundTask): TaskListRow['challenge'] {
  if (challengedAt === null) return 'unchallenged'
  return challengeSuccess === true ? 'success' : 'unsuccessful'
}
