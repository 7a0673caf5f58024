/**
 * Spans of tasks, for processes that post, index or notify later. A table of its own: rows of tasks and
 * the statements that write them are the same with and without traces.
 */
export const taskTraces = {
  id: 9,
  sql: `
      create table task_traces (
        task_id text primary key,
        traceparent text not null,
        stored_at timestamptz not null default now()
      );
      create index task_traces_stored_at on task_traces (stored_at);
    `,
}
