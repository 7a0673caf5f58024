/**
 * Corrects facts of the explorer: the block that a task names differs from the one it was posted
 * in, an off-chain task has a time, and a failed task has a policy. Rows move to the position of
 * their block. Records are read again, so that their facts get into their rows.
 *
 * A result is searched as text, because its strings may contain what PostgreSQL cannot read as
 * JSON. Quotes inside a string are escaped, so no string matches the member.
 */
export const explorerFacts = {
  id: 7,
  sql: `
      -- Of the client at the task's block, once a gateway has read it.
      alter table tasks add column policy_id text, add column policy_address text;

      -- created and responded: the block that the task names.
      alter table explorer_events add column task_block int8;
      update explorer_events set task_block =
        substring(certificate::text from '"reference_block": ?([0-9]+)')::int8 where kind = 2;
      update explorer_events created set task_block = responded.task_block
        from explorer_events responded
        where created.kind = 1 and responded.kind = 2 and responded.chain_id = created.chain_id
          and responded.subject = created.subject;
      update explorer_events e set task_block =
          substring(t.result::text from '"taskCreatedBlock": ?([1-9][0-9]*)')::int8
        from tasks t
        where e.kind = 1 and e.task_block is null and t.chain_id = e.chain_id
          and t.id = '0x' || encode(e.subject, 'hex');

      -- Unix milliseconds: when a gateway took the task in.
      alter table explorer_records rename column finished_at to admitted_at;
      alter table explorer_records add column created_block int8;
      update explorer_records r set
          admitted_at = floor(extract(epoch from t.created_at) * 1000)::int8,
          created_block = substring(t.result::text from '"taskCreatedBlock": ?([1-9][0-9]*)')::int8
        from tasks t where t.chain_id = r.chain_id and t.id = '0x' || encode(r.id, 'hex');

      drop index explorer_tasks_off_chain;
      drop index explorer_tasks_off_chain_by_time;
      -- Unix milliseconds, of rows that were not created on the chain.
      alter table explorer_tasks rename column listed_at to admitted_at;
      alter table explorer_tasks
        -- The block of its creation on the chain; created_block is the one that the task names.
        add column posted_block int8,
        -- Set where the row came in below others: from which total on it is there.
        add column n_late int8;
      update explorer_tasks t set
        posted_block = created_block,
        created_block = coalesce(
          (select task_block from explorer_events e where e.chain_id = t.chain_id
             and e.subject = t.id and task_block is not null order by kind limit 1),
          (select r.created_block from explorer_records r
             where r.chain_id = t.chain_id and r.id = t.id)),
        admitted_at = case when t.created_block is null then coalesce(
          (select r.admitted_at from explorer_records r
             where r.chain_id = t.chain_id and r.id = t.id), t.admitted_at, 0) end;
      update explorer_tasks set list_block = created_block, list_seq = 0
        where created_block is not null;
      update explorer_tasks t set
        n = at.n,
        off_n = case when t.posted_block is null then at.off_n end,
        policy_id_n = case when t.policy_id is not null then at.policy_id_n end,
        policy_address_n = case when t.policy_address is not null then at.policy_address_n end,
        policy_id_late = null, policy_address_late = null
        from (
          select chain_id, id,
            row_number() over (partition by chain_id order by list_block, list_seq, id) as n,
            row_number() over (partition by chain_id, posted_block is null
              order by admitted_at, id) as off_n,
            row_number() over (partition by chain_id, policy_id
              order by list_block, list_seq, id) as policy_id_n,
            row_number() over (partition by chain_id, policy_address
              order by list_block, list_seq, id) as policy_address_n
          from explorer_tasks
        ) at where at.chain_id = t.chain_id and at.id = t.id;
      create index explorer_tasks_off_chain on explorer_tasks (chain_id, off_n)
        where off_n is not null;
      create index explorer_tasks_off_chain_by_time on explorer_tasks (chain_id, admitted_at, off_n)
        where off_n is not null;
      create index explorer_tasks_late on explorer_tasks (chain_id, n_late)
        where n_late is not null;

      update tasks t set explored_at = null
        from (
          select chain_id, id from explorer_records
          union
          select chain_id, subject from explorer_events group by chain_id, subject
            having not (bool_or(kind = 1) and bool_or(kind = 2))
        ) known
        where t.finished_at is not null and t.chain_id = known.chain_id
          and t.id = '0x' || encode(known.id, 'hex');
    `,
}
