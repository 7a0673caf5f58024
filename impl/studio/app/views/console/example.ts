import { type Components, resolved, type Schema, shapeOf } from './schema.ts'

/** Values of the target that make an example of a parameter one that works, by its name. */
export type KnownValues = Readonly<Record<string, unknown>>

/** Texts for the patterns of the service: the shortest that is valid. */
const byPattern: readonly (readonly [RegExp, string])[] = [
  [/\{40\}/, `0x${'0'.repeat(39)}1`],
  [/\{64\}/, `0x${'0'.repeat(63)}1`],
  [/^\^\[hH\]|^\^https/, 'https://hooks.example/inbox'],
  [/\[1-9a-fA-F\]/, '0x1'],
  [/0x/, '0x'],
]

/** A valid value for a schema; members that are optional are left out, unless their value is known. */
export function exampleOf(
  given: Schema,
  components: Components,
  known: KnownValues,
  name = '',
  depth = 0,
): unknown {
  if (Object.hasOwn(known, name)) return known[name]
  const schema = resolved(given, components)
  if (schema.examples !== undefined && schema.examples.length > 0) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  const shape = shapeOf(schema, components)
  if (depth > 8) return {}
  switch (shape.kind) {
    case 'members':
      return Object.fromEntries(
        shape.members
          .filter((member) => member.required || Object.hasOwn(known, member.name))
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

function textOf({ pattern, format, minLength = 0 }: Schema): string {
  if (format === 'date-time') return new Date(Date.now() - 86_400_000).toISOString()
  const text = byPattern.find(([form]) => form.test(pattern ?? ''))?.[1] ?? ''
  return text.padEnd(minLength, 'x')
}
