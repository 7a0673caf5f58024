/** Type of a column passed as an array: bytes as bare hex, other types unchanged. */
type ColumnType = 'int2' | 'int4' | 'int8' | 'boolean' | 'text' | 'json' | 'bytea'

export type Column = readonly [name: string, type: ColumnType]

/**
 * A `select` of rows passed as one array per column, which both engines accept: a thousand rows are
 * one statement with as many parameters as columns.
 */
export function rowsFromArrays(columns: readonly Column[], firstParameter: number): string {
  const arrays = columns.map(([, type], i) => {
    const sent = type === 'bytea' || type === 'json' ? 'text' : type
    return `$${firstParameter + i}::${sent}[]`
  })
  const names = columns.map(([name]) => name)
  const values = columns.map(([name, type]) => {
    if (type === 'bytea') return `decode(${name}, 'hex') as ${name}`
    return type === 'json' ? `${name}::json as ${name}` : name
  })
  return `select ${values.join(', ')} from unnest(${arrays.join(', ')}) as given(${names.join(', ')})`
}

/** One array per column, in the order of the columns. */
export function arraysOf<T>(
  rows: readonly T[],
  columns: readonly Column[],
  valuesOf: (row: T) => readonly unknown[],
): unknown[][] {
  const arrays: unknown[][] = columns.map(() => [])
  for (const row of rows) {
    const values = valuesOf(row)
    for (let i = 0; i < arrays.length; i++) arrays[i]!.push(values[i])
  }
  return arrays
}
