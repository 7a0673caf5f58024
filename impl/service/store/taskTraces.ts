import type { Database } from './database.ts'

/** The span of a task, in the form of the header `traceparent`. */
export type TaskTrace = { readonly taskId: string; readonly traceparent: string }

/** Spans of tasks, for processes that post, index or notify later. Empty unless traces are configured. */
export const taskTraceQueries = (database: Database) => ({
  /** A task that another gateway continues has the span of that gateway. */
  async put(traces: readonly TaskTrace[]): Promise<void> {
    await database.query(
      `insert into task_traces (task_id, traceparent)
       select * from unnest($1::text[], $2::text[])
       on conflict (task_id) do update
         set traceparent = excluded.traceparent, stored_at = excluded.stored_at`,
      [traces.map(({ taskId }) => taskId), traces.map(({ traceparent }) => traceparent)],
    )
  },

  find: (taskIds: readonly string[]): Promise<TaskTrace[]> =>
    database.query<TaskTrace>(
      'select task_id as "taskId", traceparent from task_traces where task_id = any($1)',
      [[...taskIds]],
    ),

  /** By the clock of the database. */
  async removeOlderThan(milliseconds: number): Promise<void> {
    await database.query(
      `delete from task_traces where stored_at < now() - $1 * interval '1 millisecond'`,
      [milliseconds],
    )
  },
})

export type TaskTraceQueries = ReturnType<typeof taskTraceQueries>
