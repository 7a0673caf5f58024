/** The task id depends on the reference block, which is therefore fixed when the task is stored. */
export const referenceBlock = {
  id: 5,
  sql: `
      -- Null in rows of an earlier release, whose ids do not cover it.
      alter table tasks add column reference_block int8;
    `,
}
