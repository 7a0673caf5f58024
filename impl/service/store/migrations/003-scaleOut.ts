/** Shared state of several gateways on one database. */
export const scaleOut = {
  id: 3,
  sql: `
      -- Who does what only one process may do at a time, until when; times are the database's own.
      create table leases (
        name   text primary key,
        holder text not null,
        until  timestamptz not null
      );

      -- The chain that a task is for; null in rows of an earlier release until a gateway fills it in.
      alter table tasks add column chain_id int8;
      create index tasks_without_chain on tasks (id) where chain_id is null;
      -- The holder of the lease 'gateway/{carrier}' carries it; empty: it was given up for another to
      -- carry on; null in rows of an earlier release, whose gateway may still be at it.
      alter table tasks add column carrier text;
      -- What has been settled on the way: whoever goes on with the task must go on with this.
      alter table tasks add column checkpoint json;
      create index tasks_of_carrier on tasks (carrier) where finished_at is null;

      -- Null: it is not to be posted.
      alter table tasks add column posting text check (posting in ('queued', 'posted', 'failed'));
      alter table tasks add column posting_error text;
      alter table tasks add column posting_attempts int4 not null default 0;
      alter table tasks add column posting_at timestamptz;
      create index tasks_to_post on tasks (chain_id, posting_at, id) where posting = 'queued';

      -- When the explorer last took in this record; null: it has to.
      alter table tasks add column explored_at timestamptz;
      create index tasks_unexplored on tasks (finished_at, id)
        where explored_at is null and finished_at is not null;
    `,
}
