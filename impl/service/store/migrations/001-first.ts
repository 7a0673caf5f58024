/** The initial tables. */
export const first = {
  id: 1,
  sql: `
      create table api_keys (
        id          text primary key,
        hash        bytea not null unique,
        name        text not null,
        permissions text[] not null,
        owners      text[] not null,
        created_at  timestamptz not null,
        rotated_at  timestamptz,
        expires_at  timestamptz
      );

      create table tasks (
        id              text primary key,
        policy_client   text not null,
        intent_hash     text not null,
        nonce           int4 not null,
        status          text not null check (status in ('pending','processing','success','failed','timeout')),
        method          text not null,
        api_key_id      text not null,
        request         json not null,
        deadline        timestamptz not null,
        created_at      timestamptz not null,
        updated_at      timestamptz not null,
        finished_at     timestamptz,
        result          json,
        error           text,
        operator_errors json,
        unique (policy_client, intent_hash, nonce)
      );
      create unique index tasks_in_flight on tasks (policy_client, intent_hash)
        where status in ('pending', 'processing');
      create index tasks_unfinished on tasks (created_at) where finished_at is null;

      create table secrets (
        policy_client       text not null,
        policy_data_address text not null,
        envelope            text not null,
        stored_at           timestamptz not null,
        primary key (policy_client, policy_data_address)
      );

      create table notifications (
        id              text primary key,
        task_id         text not null references tasks (id),
        api_key_id      text not null,
        payload         json not null,
        created_at      timestamptz not null,
        attempts        int4 not null default 0,
        next_attempt_at timestamptz not null,
        settled_at      timestamptz
      );
      create index notifications_due on notifications (next_attempt_at) where settled_at is null;
    `,
}
