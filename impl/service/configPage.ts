import { unitKeyword } from './configParts.ts'
import { configSchema, type JsonSchema } from './configSchema.ts'

/** The smallest configuration of a gateway with one operator of its own. */
export const exampleConfig = {
  $schema: './node_modules/polgate-service/config.schema.json',
  gateway: { host: '127.0.0.1', port: 8600 },
  store: { url: '${DATABASE_URL}' },
  chain: {
    rpcUrl: 'http://127.0.0.1:8545',
    chainId: 31337,
    taskManager: '${TASK_MANAGER}',
    operatorRegistry: '${OPERATOR_REGISTRY}',
  },
  keys: {
    gateway: '${GATEWAY_KEY}',
    secrets: '${SECRETS_KEY}',
    privacy: '${PRIVACY_KEY}',
  },
  operators: [{ kind: 'local', address: '${OPERATOR_1_ADDRESS}', blsKey: '${OPERATOR_1_KEY}' }],
  content: { directory: '/var/lib/svc/content' },
  oracles: { cacheDir: '/var/lib/svc/oracles' },
}

/** A member, or the element of a list, at its path. */
export type Member = {
  readonly path: string
  readonly schema: JsonSchema
  readonly required: boolean
}

/** The names that a section's members are under where they are not fixed. */
const placeholder = '<name>'

/** Sections that are alike, such as those of several networks, are one with all of their names. */
function grouped(properties: Readonly<Record<string, JsonSchema>>) {
  const groups = new Map<string, { names: string[]; schema: JsonSchema }>()
  for (const [name, schema] of Object.entries(properties)) {
    const key = schema.properties === undefined ? name : JSON.stringify(schema)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { names: [name], schema })
    else group.names.push(name)
  }
  return [...groups.values()].map(({ names, schema }) => ({
    name: names.length === 1 ? names[0]! : `<${names.join('|')}>`,
    schema,
  }))
}

/** The members right below a schema: of an object, of a map, of the elements of a list. */
export function membersOf({ path, schema }: Pick<Member, 'path' | 'schema'>): readonly Member[] {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const { properties = {}, patternProperties = {}, required = [], items, anyOf } = schema
  if (items !== undefined) {
    const branches = items.anyOf ?? [items]
    return branches.flatMap((branch) => {
      const kind = branch.properties?.kind?.const
      const name = `${path}[]${kind === undefined ? '' : ` (${kind})`}`
      return branch.properties === undefined
        ? []
        : [{ path: name, schema: branch, required: false }]
    })
  }
  if (anyOf !== undefined) return []
  return [
    ...grouped(properties).map(({ name, schema: each }) => ({
      path: at(name),
      schema: each,
      required: required.includes(name) && each.default === undefined,
    })),
    ...Object.values(patternProperties)
      .filter((each) => each.properties !== undefined)
      .map((each) => ({ path: at(placeholder), schema: each, required: false })),
  ]
}

const isSection = (member: Member) => membersOf(member).length > 0

const choicesOf = ({ enum: values, anyOf, const: only }: JsonSchema): readonly unknown[] =>
  values ?? (only === undefined ? (anyOf ?? []).map((each) => each.const) : [only])

function typeOf(schema: JsonSchema): string {
  const choices = choicesOf(schema)
  if (choices.length > 0) return choices.map((choice) => `\`${choice}\``).join(', ')
  if (schema.type === 'array') return `list of ${schema.items?.type ?? 'values'}s`
  const unit = schema[unitKeyword]
  return unit === undefined ? `${schema.type}` : `${schema.type}, ${unit}`
}

function boundsOf(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, minLength, maxItems, pattern } = schema
  return [
    ...(minimum === undefined ? [] : [`≥ ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`> ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`≤ ${maximum}`]),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(pattern === undefined ? [] : [`\`${pattern}\``]),
  ].join(', ')
}

const valueText = (value: unknown) => `\`${JSON.stringify(value)}\``
const cell = (text: string) => text.replaceAll('|', '\\|')

function row({ path, schema, required }: Member): string {
  const name = path.split('.').at(-1)!
  const preset = schema.default === undefined ? '' : valueText(schema.default)
  const cells = [
    `\`${name}\`${required ? ' (required)' : ''}`,
    typeOf(schema),
    preset,
    boundsOf(schema),
    schema.examples?.map(valueText).join(', ') ?? '',
    schema.description ?? '',
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

const table = (members: readonly Member[]): readonly string[] =>
  members.length === 0
    ? []
    : [
        '| member | type | default | bounds | example | |',
        '|---|---|---|---|---|---|',
        ...members.map(row),
        '',
      ]

function sectionLines(member: Member): readonly string[] {
  const { path, schema, required } = member
  const members = membersOf(member)
  const preset =
    schema.default === undefined || JSON.stringify(schema.default) === '{}'
      ? []
      : [`Default: ${valueText(schema.default)}.`]
  const bounds = boundsOf(schema)
  const example = schema.examples?.map(valueText).join(', ')
  return [
    `## \`${path}\`${required ? ' (required)' : ''}`,
    '',
    [
      schema.description ?? '',
      ...preset,
      ...(bounds === '' ? [] : [`Bounds: ${bounds}.`]),
      ...(example === undefined ? [] : [`Example: ${example}.`]),
    ].join(' '),
    '',
    ...table(members.filter((each) => !isSection(each))),
    ...members.filter(isSection).flatMap(sectionLines),
  ]
}

/** The documentation of the configuration as a page, from the schema that validates it. */
export function configPage(schema: JsonSchema = configSchema()): string {
  const members = membersOf({ path: '', schema })
  return [
    '# Configuration of `polgate serve`',
    '',
    '<!-- Generated by `npm run spec` from impl/service/serviceConfig.ts. -->',
    '',
    'A JSON file, given as `polgate serve --config FILE` (`-` for standard input). `${NAME}` in any text is',
    'replaced by that environment variable, so that no key has to be in the file. Unknown members are',
    'refused. `polgate indexer` reads `brand`, `logLevel`, `store`, `explorer` and `content` of the same file.',
    '',
    'The JSON Schema is [config.schema.json](config.schema.json), also printed by',
    '`polgate serve --print-schema`; a `$schema` member points editors to it.',
    '',
    '```json',
    JSON.stringify(exampleConfig, null, 2),
    '```',
    '',
    '## Top level',
    '',
    ...table(members.filter((each) => !isSection(each))),
    ...members.filter(isSection).flatMap(sectionLines),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}
