import type { Queries } from '../store/database.ts'

export type Column = {
  readonly name: string
  /** Quoted for use in a statement. */
  readonly quoted: string
  readonly type: string
}
export type Table = {
  readonly name: string
  readonly quoted: string
  readonly columns: readonly Column[]
}

/** Not saved, as useless in another database: leases, rate limit windows, the schema version. */
const excluded = ['schema_migrations', 'leases', 'rate_limits']

/** The tables of a snapshot, referenced tables before those that refer to them. */
export async function keptTables(queries: Queries): Promise<Table[]> {
  const here = `quote_ident(current_schema())::regnamespace`
  const columns = await queries.query<Column & { table: string; quotedTable: string }>(
    `select c.relname as table, quote_ident(c.relname) as "quotedTable", a.attname as name,
       quote_ident(a.attname) as quoted, format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = ${here} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
     order by c.relname, a.attnum`,
  )
  const references = await queries.query<{ from: string; to: string }>(
    `select f.relname as from, t.relname as to from pg_constraint k
     join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = ${here}`,
  )
  const tables = new Map<string, Table & { columns: Column[] }>()
  for (const { table: name, quotedTable, ...column } of columns) {
    if (excluded.includes(name)) continue
    const table = tables.get(name) ?? { name, quoted: quotedTable, columns: [] }
    table.columns.push({ name: column.name, quoted: column.quoted, type: column.type })
    tables.set(name, table)
  }
  return inOrder(tables, references)
}

function inOrder(
  tables: ReadonlyMap<string, Table>,
  references: readonly { readonly from: string; readonly to: string }[],
): Table[] {
  const placed = new Map<string, Table>()
  const place = (table: Table) => {
    if (placed.has(table.name)) return
    for (const { from, to } of references) {
      const other = tables.get(to)
      if (from === table.name && to !== from && other !== undefined) place(other)
    }
    placed.set(table.name, table)
  }
  for (const table of tables.values()) place(table)
  return [...placed.values()]
}
