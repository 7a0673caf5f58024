import { type Components, type Member, resolved, type Schema, shapeOf } from './schema.ts'
import { isValid } from './validateParams.ts'

/** Values of the target that make an example one that works, by the name of the member. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

/** Texts for the patterns of the service: the shortest that is valid. */
const byPattern: readonly (readonly [RegExp, string])[] = [
  [/\{40\}/, `0x${'0'.repeat(39)}1`],
  [/\{64\}/, `0x${'0'.repeat(63)}1`],
  [/^\^\[hH\]|^\^https/, 'https://hooks.example/inbox'],
  [/\[1-9a-fA-F\]/, '0x1'],
  [/0x/, '0x'],
]

/** A valid value for a schema; members that are optional are left out. */
export function exampleOf(
  given: Schema,
  components: Components,
  known: KnownValues,
  name = '',
  depth = 0,
): unknown {
  const fitting = knownFor(name, known).find((value) => isValid(value, given, components))
  if (fitting !== undefined) return fitting
  const schema = resolved(given, components)
  if (schema.examples !== undefined && schema.examples.length > 0) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  const shape = shapeOf(schema, components)
  if (depth > 8) return {}
  switch (shape.kind) {
    case 'members':
      return Object.fromEntries(
        shape.members
          .filter((member) => member.required)
          .map((member) => [
            member.name,
            exampleOf(member.schema, components, known, member.name, depth + 1),
          ]),
      )
    case 'list':
      return Array.from({ length: schema.minItems ?? 1 }, () =>
        exampleOf(shape.items, components, known, '', depth + 1),
      )
    case 'choice':
      return shape.values[0]
    case 'union':
      return exampleOf(shape.branches[0]!, components, known, '', depth + 1)
    case 'boolean':
      return true
    case 'number':
    case 'integer':
      return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1
    case 'null':
      return null
    case 'json':
      return {}
    case 'text':
      return textOf(schema)
  }
}

const knownFor = (name: string, known: KnownValues): readonly unknown[] =>
  Object.hasOwn(known, name) ? known[name]! : []

function textOf({ pattern, format, minLength = 0 }: Schema): string {
  if (format === 'date-time') return new Date(Date.now() - 86_400_000).toISOString()
  const text = byPattern.find(([form]) => form.test(pattern ?? ''))?.[1] ?? ''
  return text.padEnd(minLength, 'x')
}

/** Examples of the required parameters, and of the client where it is optional: simulations then find its policy. */
export const exampleOfMembers = (
  members: readonly Member[],
  components: Components,
  known: KnownValues,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    members
      .filter(({ name, required }) => required || name === 'policy_client')
      .map(({ name, schema }) => [name, exampleOf(schema, components, known, name)]),
  )
