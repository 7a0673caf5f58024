/** After a revert of a chain the results that were posted last are looked at first. */
export const posted = {
  id: 6,
  sql: `
      create index tasks_posted on tasks (chain_id, posting_at, id) where posting = 'posted';
    `,
}
