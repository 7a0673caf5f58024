import { eventLogVersion } from '../core/events.ts'
import { eventSchemas } from './eventSchema.ts'

/** What of a JSON Schema the page shows. */
type Node = {
  readonly type?: string
  readonly const?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
  readonly anyOf?: readonly Node[]
}

export const eventSchemaPlace = 'conformance/reports/schema/events.schema.json'
export const eventPagePlace = 'conformance/EVENTS.md'

/** JSON Schema of one line of an event log. */
export const eventSchemaText = (): string =>
  `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'A line of the event log of a run',
      description: `Version ${eventLogVersion} of the format. Members that are not named here may be present.`,
      anyOf: Object.values(eventSchemas),
    },
    undefined,
    2,
  )}\n`

function typeOf({ type, const: value, anyOf, items, patternProperties }: Node): string {
  if (value !== undefined) return `\`${JSON.stringify(value)}\``
  if (anyOf !== undefined)
    return anyOf.every(({ properties }) => properties === undefined)
      ? anyOf.map(typeOf).join(', ')
      : 'object'
  if (items !== undefined) return `list of ${typeOf(items)}`
  return patternProperties === undefined ? (type ?? 'any') : 'map of string'
}

/** The object below a member, if it has one: its own, or that of its elements. */
function inside(node: Node): Node | undefined {
  const at = node.items ?? node
  return at.properties === undefined ? undefined : at
}

const row = (path: string, node: Node, required: boolean) =>
  `| \`${path}\` | ${typeOf(node)} | ${required ? 'yes' : ''} | ${node.description ?? ''} |`

function rows(node: Node, prefix: string, seen: readonly string[]): readonly string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`
    const required = node.required?.includes(name) ?? false
    const below = seen.includes(name) ? undefined : inside(member)
    const list = member.items === undefined ? '' : '[]'
    return [
      row(path, member, required),
      ...(below === undefined ? [] : rows(below, `${path}${list}.`, [...seen, name])),
    ]
  })
}

const table = (node: Node): readonly string[] => [
  '| member | type | always | meaning |',
  '|---|---|---|---|',
  ...rows(node, '', ['others']),
]

const evidence = eventSchemas['check-finished'].properties.evidence.items as unknown as {
  readonly anyOf: readonly Node[]
}

/** The documentation of the event log. */
export const eventPage = (): string =>
  [
    '# The event log',
    '',
    'A run writes `events.ndjson` into its report directory: one JSON object a line, UTF-8, in the order in which',
    'things happened. All other reports are functions of it, the certificate covers its lines, and `polgate merge`,',
    '`compare`, `verify` and `replay` read it. The option `onEvent` of `certify` and reporters (`--reporter`) receive',
    'the same objects while it is written. Made from `reports/eventSchema.ts` by `npm run spec`; the JSON Schema of a',
    'line is [reports/schema/events.schema.json](reports/schema/events.schema.json).',
    '',
    `The first line has the type \`run-started\` and the \`version\` of the format, now ${eventLogVersion}; the last one`,
    '`run-finished`. A killed run leaves a log without the latter, whose last line may be incomplete.',
    '',
    'Compatibility: within a version members and kinds of evidence may be added, so ignore what you do not know. A',
    'member that is removed or changes its meaning, and a new type of event, increment the version. The suite reads',
    'only logs of its own version, and says so for others.',
    '',
    'Keys, private keys and secrets of the target never appear; `$SVC_KEY_READ` and the like stand for them. Texts are',
    'truncated; bodies of evidence name their original length in `cut`.',
    '',
    ...Object.entries(eventSchemas).flatMap(([type, schema]) => [
      `## \`${type}\``,
      '',
      `${schema.description}.`,
      '',
      ...table(schema as Node),
      '',
    ]),
    '## Evidence',
    '',
    'Members of `evidence` and `failedCase`, by `kind`:',
    '',
    ...evidence.anyOf.flatMap((node) => [
      `### \`${String(node.properties?.kind?.const)}\``,
      '',
      `${node.properties?.kind?.description}.`,
      '',
      ...table(node),
      '',
    ]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
