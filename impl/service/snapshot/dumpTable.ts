import type { Transaction } from '../store/database.ts'
import type { Table } from './catalog.ts'

/** A piece of a table: lines of JSON, each a row as an array of texts and nulls. */
export type Rows = { readonly count: number; readonly bytes: Buffer }

/** Approximate size of a piece, bytes; it has at least one row. */
const pieceBytes = 2 * 1024 * 1024
const maxRows = 4_096

/**
 * Settings for an exact text format of values, whatever the server's configuration, so that both
 * engines can read it without loss.
 */
export const exactTexts = `set local datestyle = 'ISO, YMD'; set local timezone = 'UTC';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1;
  set local bytea_output = 'hex'`

/** All rows of a table in the transaction's snapshot, one piece in memory at a time. */
export async function* dumpTable(tx: Transaction, table: Table): AsyncGenerator<Rows> {
  const { quoted, columns } = table
  const texts = columns.map((column, at) => `${column.quoted}::text as c${at}`).join(', ')
  await tx.execute(`declare kept no scroll cursor for select ${texts} from ${quoted}`)
  let rows = 64
  for (;;) {
    const found = await tx.query<Record<string, string | null>>(`fetch ${rows} from kept`)
    if (found.length === 0) break
    const lines = found.map((row) => JSON.stringify(columns.map((_, at) => row[`c${at}`])))
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    yield { count: found.length, bytes }
    // Estimates the rows of the next piece; at most doubled, because sizes of rows vary.
    const fitting = Math.floor((rows * pieceBytes) / bytes.length)
    rows = Math.max(1, Math.min(fitting, rows * 2, maxRows))
  }
  await tx.execute('close kept')
}
