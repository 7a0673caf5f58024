import type { Database } from 'polgate-service/store/database.ts'

/** Bytes of a table on disk: rows, out-of-line storage, indexes. */
export type TableSize = {
  readonly table: string
  readonly rows: number
  readonly heap: number
  readonly toast: number
  readonly indexes: number
}

export const sizesOf = (database: Database): Promise<TableSize[]> =>
  database.query<TableSize>(
    `select relname as table, reltuples::int8 as rows, pg_relation_size(oid) as heap,
       pg_total_relation_size(oid) - pg_indexes_size(oid) - pg_relation_size(oid) as toast,
       pg_indexes_size(oid) as indexes
     from pg_class where relkind = 'r' and relname like 'explorer%'
       and relnamespace = current_schema()::regnamespace
     order by pg_total_relation_size(oid) desc`,
  )

export const indexSizesOf = (database: Database) =>
  database.query<{ index: string; bytes: number }>(
    `select relname as index, pg_relation_size(oid) as bytes from pg_class
     where relkind = 'i' and relname like 'explorer%'
       and relnamespace = current_schema()::regnamespace
     order by pg_relation_size(oid) desc`,
  )
