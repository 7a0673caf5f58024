import type { Value } from '../values/value.ts'

/** Static types of declarations, as data. */
export type Type =
  | { readonly kind: 'any' | 'null' | 'boolean' | 'number' | 'string' }
  | {
      readonly kind: 'array'
      readonly static: readonly Type[]
      /** The type of the elements after the static ones; if absent there are none. */
      readonly dynamic?: Type
    }
  | {
      readonly kind: 'object'
      readonly static: readonly { readonly key: Value; readonly value: Type }[]
      readonly dynamic?: { readonly key: Type; readonly value: Type }
    }
  | { readonly kind: 'set'; readonly of: Type }
  | { readonly kind: 'union'; readonly of: readonly Type[] }
  | {
      readonly kind: 'function'
      readonly args: readonly Type[]
      readonly result: Type
      readonly variadic?: Type
    }

export const ANY: Type = { kind: 'any' }
export const NULL: Type = { kind: 'null' }
export const BOOLEAN: Type = { kind: 'boolean' }
export const NUMBER: Type = { kind: 'number' }
export const STRING: Type = { kind: 'string' }

export const arrayOf = (dynamic: Type): Type => ({ kind: 'array', static: [], dynamic })

export const tuple = (...items: readonly Type[]): Type => ({ kind: 'array', static: items })

export const setOf = (of: Type): Type => ({ kind: 'set', of })

/** An object with keys and values of one type each, after the named ones. */
export const objectOf = (
  key: Type,
  value: Type,
  named: Readonly<Record<string, Type>> = {},
): Type => ({
  kind: 'object',
  static: Object.entries(named).map(([name, type]) => ({ key: name, value: type })),
  dynamic: { key, value },
})

/** An object with exactly these keys. */
export const record = (named: Readonly<Record<string, Type>>): Type => ({
  kind: 'object',
  static: Object.entries(named).map(([name, type]) => ({ key: name, value: type })),
})

export const union = (...of: readonly Type[]): Type => ({ kind: 'union', of })

export const ANY_ARRAY: Type = arrayOf(ANY)
export const ANY_SET: Type = setOf(ANY)
export const ANY_OBJECT: Type = objectOf(ANY, ANY)
