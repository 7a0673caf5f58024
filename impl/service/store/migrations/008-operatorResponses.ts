/** The operator responses so far, for late subscribers of a task (decision W4). */
export const operatorResponses = {
  id: 8,
  sql: `
      -- Null in rows of an earlier release, and while no operator has answered.
      alter table tasks add column operator_responses json;
    `,
}
