/**
 * Migrations in order; one that has been released is never edited, only followed by another.
 *
 * `json`, not `jsonb`: a result must come back as it was stored, with its strings of any content
 * and its numbers of any size.
 */
export const migrations: readonly { readonly id: number; readonly sql: string }[] = [
  {
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
  },
  {
    id: 2,
    sql: `
      -- One webhook a key (section 4.9); it goes with its key. The secret is sealed: it is needed
      -- again, so no hash will do.
      create table webhooks (
        api_key_id      text primary key references api_keys (id) on delete cascade,
        url             text not null,
        sealed_secret   bytea,
        timeout_seconds float8 not null,
        max_retries     int4 not null,
        failure_types   text[],
        registered_at   timestamptz not null
      );

      -- Who is sending it now, until when nobody else may, and how it ended.
      alter table notifications add column claimed_until timestamptz;
      alter table notifications add column outcome text
        check (outcome in ('delivered', 'refused', 'exhausted', 'unwanted'));
      alter table notifications add column last_error text;
      create index notifications_of_key on notifications (api_key_id, next_attempt_at, id)
        where settled_at is null;
      create index notifications_of_task on notifications (task_id);

      create table identity_data (
        data_ref_id     text primary key,
        identity_owner  text not null,
        identity_domain text not null,
        chain_id        int8 not null,
        envelope        text not null,
        api_key_id      text not null,
        stored_at       timestamptz not null
      );

      -- Windows of rate limits, in the columns and the order that the limiter's library writes.
      -- Unlogged: after a crash of the server the counts begin anew.
      create unlogged table rate_limits (
        key    text primary key,
        points int4 not null,
        expire int8
      );

      create table confidential_data (
        data_ref_id text primary key,
        provider    text not null,
        domain      text not null,
        data_type   text not null,
        chain_id    int8 not null,
        envelope    text not null,
        api_key_id  text not null,
        stored_at   timestamptz not null
      );
    `,
  },
]
