/** Webhooks and their deliveries, sealed data, rate limit windows. */
export const webhooks = {
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
}
