/**
 * Who used the gas of posting transactions for nothing: shared by all gateways, so that a restart or
 * another poster does not forget it.
 */
export const gasBurners = {
  id: 11,
  sql: `
      create table gas_burners (
        chain_id int8 not null,
        subject text not null,
        transactions int4 not null,
        burnt_at timestamptz not null,
        primary key (chain_id, subject)
      );
      create index gas_burners_burnt_at on gas_burners (chain_id, burnt_at);
    `,
}
