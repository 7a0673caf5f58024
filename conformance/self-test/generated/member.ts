/** JSON types of a value. */
export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array'

/** The items of an array, in a path. */
export const items = '[]'

/** A member of an answer, by its JSON Schema. */
export type Member = {
  /** Names from the root of the answer; `[]` for the items of an array. */
  readonly path: readonly string[]
  /** Empty where the schema allows any value. */
  readonly types: readonly JsonType[]
  readonly nullable: boolean
  readonly required: boolean
  /** Its values, if there are few. */
  readonly values?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
}

/** As in the table of clauses: `results[].policy_id`. */
export const pathText = (path: readonly string[]): string =>
  path.join('.').replaceAll(`.${items}`, items)

/** As in an id: `results.each.policy_id`. */
export const pathId = (path: readonly string[]): string =>
  path.map((part) => (part === items ? 'each' : part)).join('.')

/** Undefined for null and undefined. */
export function typeOf(value: unknown): JsonType | undefined {
  if (Array.isArray(value)) return 'array'
  if (value === null || value === undefined) return undefined
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'object'
    ? type
    : undefined
}
