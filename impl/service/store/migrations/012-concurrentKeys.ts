/** What concurrent requests of several keys, and of former and new owners, are decided by. */
export const concurrentKeys = {
  id: 12,
  sql: `
      -- Who owned the client at which block when the secrets were stored. Null in rows of an earlier
      -- release, and in rows that no upload stored: any upload replaces them.
      alter table secrets add column owner text;
      alter table secrets add column owner_chain_id int8;
      alter table secrets add column owner_block int8;

      -- The owner addresses of the task's key at admission (decision T4). Null in rows of an earlier
      -- release, which are duplicates for every key.
      alter table tasks add column owners text[];
      drop index tasks_in_flight;
      create unique index tasks_in_flight on tasks (policy_client, intent_hash, api_key_id)
        where status in ('pending', 'processing');
    `,
}
