/**
 * The tables of the explorer (sections 2.9 and 2.10), and the events that they are built from. Ids,
 * addresses and hashes are bytes, half the size of hex; the order of columns avoids padding.
 *
 * Ordinals (`n`, `policy_id_n`, `policy_address_n`, `off_n`) are dense and start at 1, the oldest:
 * a page at any depth is one range of an index, and the greatest is the total. Their indexes are
 * not unique: one statement renumbers a list and passes through states with equal numbers.
 */
export const explorer = {
  id: 4,
  sql: `
      -- How far each chain has been read. Who writes a chain holds the lock of its row.
      create table explorer_cursors (
        chain_id   int8 primary key,
        next_block int8 not null,
        -- Of rows without a block of their own: those of a later pass stand above those of an earlier.
        list_seq   int8 not null default 0,
        updated_at timestamptz not null
      );

      -- Blocks whose hash is known. Counts are of all rows of the chain up to the block.
      create table explorer_blocks (
        chain_id  int8 not null,
        number    int8 not null,
        -- Unix seconds.
        timestamp int8 not null,
        tasks     int8 not null,
        policies  int8 not null,
        eventful  boolean not null,
        hash      bytea not null,
        primary key (chain_id, number)
      );
      create index explorer_blocks_by_time on explorer_blocks (chain_id, timestamp, number);
      create index explorer_blocks_to_forget on explorer_blocks (chain_id, number) where not eventful;

      create table explorer_events (
        chain_id          int8 not null,
        block             int8 not null,
        log_index         int4 not null,
        kind              int2 not null,
        -- spent: allowed; challenged: successful.
        flag              boolean,
        transaction_hash  bytea not null,
        -- The task.
        subject           bytea not null,
        -- created: sender; responded: policy address; challenged: challenger.
        party             bytea,
        client            bytea,
        policy_id         bytea,
        evaluation_result bytea,
        certificate       json,
        -- created: intent; responded: policy configuration.
        body              json,
        -- responded: policy task data.
        task_data         json,
        primary key (chain_id, block, log_index)
      );
      create index explorer_events_of_subject on explorer_events (chain_id, subject);
      -- What is long is hex, which packs well; of an engine that has it, the packer that takes least time.
      do $$ begin
        alter table explorer_events alter column body set compression lz4,
          alter column task_data set compression lz4;
      exception when feature_not_supported then null;
      end $$;

      -- What a gateway recorded of a task, where the chain does not say it.
      create table explorer_records (
        chain_id          int8 not null,
        -- Unix milliseconds.
        finished_at       int8 not null,
        -- It has a row without any event.
        alone             boolean not null,
        id                bytea not null,
        sender            bytea not null,
        client            bytea not null,
        policy_id         bytea,
        policy_address    bytea,
        evaluation_result bytea,
        error             text,
        posting_error     text,
        operator_errors   json,
        intent            json not null,
        policy_config     json,
        policy_task_data  json,
        primary key (chain_id, id)
      );

      create table explorer_tasks (
        chain_id              int8 not null,
        n                     int8,
        list_block            int8 not null,
        list_seq              int8 not null,
        created_block         int8,
        -- Unix seconds.
        created_at            int8,
        responded_at          int8,
        spent_at              int8,
        challenged_at         int8,
        policy_id_n           int8,
        policy_address_n      int8,
        -- Set where the row came in below others of its list: from which total on it is there.
        policy_id_late        int8,
        policy_address_late   int8,
        -- Of rows without a created block: their ordinal among each other, and unix milliseconds.
        off_n                 int8,
        listed_at             int8,
        updated_at            int8 not null,
        challenge_success     boolean,
        id                    bytea not null,
        sender                bytea not null,
        client                bytea not null,
        policy_id             bytea,
        policy_address        bytea,
        evaluation_result     bytea,
        certificate           json,
        error                 text,
        operator_errors       json,
        primary key (chain_id, id)
      ) with (fillfactor = 90);
      create index explorer_tasks_in_order on explorer_tasks (chain_id, n);
      create index explorer_tasks_of_policy_id on explorer_tasks (chain_id, policy_id, policy_id_n)
        where policy_id is not null;
      create index explorer_tasks_of_policy_address
        on explorer_tasks (chain_id, policy_address, policy_address_n)
        where policy_address is not null;
      create index explorer_tasks_late_by_id on explorer_tasks (chain_id, policy_id, policy_id_late)
        where policy_id_late is not null;
      create index explorer_tasks_late_by_address
        on explorer_tasks (chain_id, policy_address, policy_address_late)
        where policy_address_late is not null;
      create index explorer_tasks_off_chain on explorer_tasks (chain_id, off_n)
        where created_block is null;
      create index explorer_tasks_off_chain_by_time on explorer_tasks (chain_id, listed_at, off_n)
        where created_block is null;

      create table explorer_policies (
        chain_id         int8 not null,
        n                int8 not null,
        deployed_block   int8 not null,
        deployed_at      int8 not null,
        attempts         int4 not null default 0,
        -- When its contents are to be looked at; null: they have been.
        due_at           timestamptz,
        verified         boolean,
        address          bytea not null,
        transaction_hash bytea not null,
        info             json not null,
        name             text,
        version          text,
        author           text,
        description      text,
        primary key (chain_id, address)
      );
      create index explorer_policies_in_order on explorer_policies (chain_id, n);
      create index explorer_policies_due on explorer_policies (chain_id, due_at) where due_at is not null;
    `,
}
