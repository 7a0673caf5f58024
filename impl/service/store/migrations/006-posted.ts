/** After a chain revert, the results posted last are checked first. */
export const posted = {
  id: 6,
  sql: `
      create index tasks_posted on tasks (chain_id, posting_at, id) where posting = 'posted';
    `,
}
