import type { Queries } from '../store/database.ts'
import type { Table } from './catalog.ts'
import { damaged } from './snapshotError.ts'

/** Inserts dumped rows into their table. @returns how many */
export async function loadRows(
  queries: Queries,
  table: Table,
  order: readonly number[],
  bytes: Uint8Array,
): Promise<number> {
  const rows = parseRows(bytes, order.length, table.name)
  if (rows.length === 0) return 0
  const { columns, quoted } = table
  const names = columns.map((column) => column.quoted).join(', ')
  const values = columns.map(({ type }, at) => `c${at}::${type}`).join(', ')
  const given = columns.map((_, at) => `$${at + 1}::text[]`).join(', ')
  const aliases = columns.map((_, at) => `c${at}`).join(', ')
  await queries.query(
    `insert into ${quoted} (${names}) select ${values} from unnest(${given}) as r(${aliases})`,
    columns.map((_, at) => rows.map((row) => row[order[at] as number] ?? null)),
  )
  return rows.length
}

function parseRows(bytes: Uint8Array, width: number, table: string): (string | null)[][] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .split('\n')
  if (lines.pop() !== '') throw damaged(`a row of ${table} is truncated`)
  return lines.map((line) => {
    let row: unknown
    try {
      row = JSON.parse(line)
    } catch (cause) {
      throw damaged(`a row of ${table} is not JSON`, cause)
    }
    const right = (value: unknown) => value === null || typeof value === 'string'
    if (!Array.isArray(row) || row.length !== width || !row.every(right))
      throw damaged(`a row of ${table} is invalid`)
    return row as (string | null)[]
  })
}
