import type { Placeholder } from '../../package/placeholders.ts'

type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const placeholder = (fillIn: string): Placeholder => ({ fillIn: fillIn.slice(0, 500) })

/**
 * A document for a schema: defaults, constants, and a placeholder for every other member that is required; of a
 * schema without `required`, for every member.
 */
export function stubOf(schema: unknown): Members {
  const { properties, required } = isObject(schema) ? schema : {}
  if (!isObject(properties)) return {}
  const wanted = Array.isArray(required) ? new Set(required) : undefined
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const { default: usual, const: only, type, description } = isObject(property) ? property : {}
      const value = usual ?? only
      if (value !== undefined) return [[name, value]]
      if (wanted?.has(name) === false) return []
      const what = [type, description].filter((each) => typeof each === 'string').join(': ')
      return [[name, placeholder(what || name)]]
    }),
  )
}

/** Test secrets: their values are sent to mocks only. */
export function stubSecretsOf(schema: unknown): Readonly<Record<string, string>> {
  const { properties } = isObject(schema) ? schema : {}
  if (!isObject(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const {
        default: usual,
        const: only,
        enum: all,
        minLength,
      } = isObject(property) ? property : {}
      const [first] = Array.isArray(all) ? all : []
      const known = [usual, only, first, addressOf(name)].find(
        (each) => typeof each === 'string',
      ) as string | undefined
      const least = typeof minLength === 'number' ? Math.min(minLength, 4_096) : 0
      return [name, known ?? `test-${name}`.padEnd(least, 'x')]
    }),
  )
}

/** Whether a secret has the address of a host, by its name: `RPC_URL`. */
export const isAddress = (name: string): boolean => addressOf(name) !== undefined

function addressOf(name: string): string | undefined {
  const [kind] = /(?:URL|URI|ENDPOINT|HOST)$/i.exec(name) ?? []
  if (kind === undefined) return undefined
  const host = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example.com`
  return /host/i.test(kind) ? host : `https://${host}`
}

/** A document with a placeholder at each path. */
export function stubAt(paths: readonly (readonly string[])[]): Members {
  const root: Record<string, unknown> = {}
  for (const path of paths) {
    let at = root
    for (const part of path.slice(0, -1)) {
      if (!isObject(at[part])) at[part] = {}
      at = at[part] as Record<string, unknown>
    }
    at[path.at(-1)!] ??= placeholder(`data.params.${path.join('.')}`)
  }
  return root
}
