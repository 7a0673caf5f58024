/** Lists with the newest first: of all tasks, of those of a client, and of notifications. */
export const newest = {
  id: 10,
  sql: `
      create index tasks_newest on tasks (created_at, id);
      create index tasks_of_client on tasks (policy_client, created_at, id);
      create index notifications_newest on notifications (created_at, id);
    `,
}
