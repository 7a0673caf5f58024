/** What the explorer shows (sections 2.9 and 2.10), and the events it is made of. */
export const explorer = {
  id: 4,
  sql: `
      -- How far each chain has been read.
      create table explorer_cursors (
        chain_id   int8 primary key,
        next_block int8 not null,
        updated_at timestamptz not null
      );
    `,
}
