/**
 * JSON with integers of any size: `bigint` is written as a number, and integers that a double
 * cannot hold are read as `bigint`. Amounts in wei are why.
 */

/** JSON that is already text, put into a document as it is. Its maker answers for its validity. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Makes `JSON.stringify` give way to `stringifyExact`, which knows what to do. */
  toJSON(): never {
    throw new TypeError('RawJson is written by stringifyExact only')
  }
}

const write = (value: unknown): string | undefined => {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof RawJson) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON())
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const text = write(member)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** As `JSON.stringify`, with `bigint` as exact numbers and `RawJson` as it is. */
export const stringifyExact = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (error instanceof TypeError) return write(value) ?? 'null'
    throw error
  }
}
