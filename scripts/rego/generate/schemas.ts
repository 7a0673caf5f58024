import { Choices, numbersFrom } from './choices.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Schema = Json

const DRAFTS = ['04', '06', '07'].map((draft) => `http://json-schema.org/draft-${draft}/schema#`)
const NAMES = ['a', 'b', 'ab']
const TYPES = ['array', 'boolean', 'integer', 'number', 'null', 'object', 'string']
const VALUES: readonly Json[] = [
  null,
  true,
  0,
  1,
  2.5,
  'a',
  'ab',
  [],
  [1, 'a'],
  [1, 1, {}],
  {},
  { a: 1 },
]
const FORMATS = ['date', 'ipv4', 'uri', 'email', 'nope']

/** Names of a part, and references to it that hold everywhere in the schema: OPA would look for others in the network. */
const PARTS = [
  ['#p', '/root.json#p'],
  ['p.json', '/p.json'],
  ['http://x.test/p.json', 'http://x.test/p.json'],
  ['http://x.test/p.json', '/p.json#/not'],
] as const
const REFS = ['#', '#/definitions/a', '#/definitions/b']

type Keyword = (choices: Choices, schema: () => Schema) => Json

const value: Keyword = (choices) => choices.one(VALUES)
const count: Keyword = (choices) => choices.below(4)
const bound: Keyword = (choices) => choices.one([0, 1, 2, 2.5])
const bool: Keyword = (choices) => choices.rarely(2)
const one: Keyword = (_, schema) => schema()
const list: Keyword = (choices, schema) => some(choices, schema)
const named: Keyword = (choices, schema) =>
  Object.fromEntries(some(choices, () => [choices.one(NAMES), schema()] as const))
const names: Keyword = (choices) => [...new Set(some(choices, () => choices.one(NAMES)))]
const either =
  (...keywords: readonly Keyword[]): Keyword =>
  (choices, schema) =>
    choices.one(keywords)(choices, schema)

/** Up to three. */
const some = <T>(choices: Choices, make: () => T): T[] =>
  Array.from({ length: choices.below(4) }, make)

/** Every keyword of drafts 4 to 7 that is not about another document, or a `pattern`, which OPA does not read. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: either(
    (choices) => choices.one(TYPES),
    (choices) => [...new Set(some(choices, () => choices.one(TYPES)))],
  ),
  properties: named,
  additionalProperties: either(bool, one),
  patternProperties: (choices, schema) => ({ [choices.one(['^a', 'b', ''])]: schema() }),
  propertyNames: one,
  dependencies: (choices, schema) => ({
    [choices.one(NAMES)]: either(names, one)(choices, schema),
  }),
  items: either(one, list),
  additionalItems: either(bool, one),
  multipleOf: (choices) => choices.one([1, 2, 0.5]),
  minimum: bound,
  exclusiveMinimum: either(bool, bound),
  maximum: bound,
  exclusiveMaximum: either(bool, bound),
  minLength: count,
  maxLength: count,
  format: (choices) => choices.one(FORMATS),
  minProperties: count,
  maxProperties: count,
  required: names,
  minItems: count,
  maxItems: count,
  uniqueItems: bool,
  contains: one,
  const: value,
  enum: (choices, schema) => some(choices, () => value(choices, schema)),
  oneOf: list,
  anyOf: list,
  allOf: list,
  not: one,
  if: one,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: one,
  else: one,
  definitions: named,
}
const ALL = Object.keys(KEYWORDS)

class Schemas {
  private readonly choices: Choices
  private readonly part: readonly [id: string, ref: string] | undefined

  constructor(choices: Choices) {
    this.choices = choices
    this.part = choices.rarely(2) ? choices.one(PARTS) : undefined
  }

  root(): Schema {
    const { choices, part } = this
    const names = Array.from({ length: 1 + choices.below(3) }, () => choices.one(ALL))
    const [a, b] = [this.inner(1), this.inner(1)]
    return {
      ...(choices.rarely(4) ? {} : { $schema: choices.one(DRAFTS) }),
      ...this.keywords(names, 2),
      ...(part === undefined
        ? { definitions: { a, b } }
        : {
            $id: 'http://x.test/root.json',
            definitions: { a: { [choices.one(['$id', 'id'])]: part[0], not: b }, b },
          }),
    }
  }

  private inner(depth: number): Schema {
    const { choices, part } = this
    if (choices.rarely(12)) return choices.rarely(2)
    if (choices.rarely(6)) {
      return { $ref: part !== undefined && choices.rarely(2) ? part[1] : choices.one(REFS) }
    }
    const names = depth > 0 ? [choices.one(ALL), choices.one(ALL)] : ['type']
    return {
      ...(choices.rarely(20) ? { $id: `http://x.test/${choices.below(100)}/` } : {}),
      ...this.keywords(names, depth),
    }
  }

  private keywords(names: readonly string[], depth: number): { readonly [name: string]: Json } {
    const inner = (): Schema => this.inner(depth - 1)
    return Object.fromEntries(names.map((name) => [name, KEYWORDS[name]!(this.choices, inner)]))
  }
}

const documentOf = (choices: Choices, depth: number): Json =>
  depth > 0 && choices.rarely(2)
    ? Object.fromEntries(some(choices, () => [choices.one(NAMES), documentOf(choices, depth - 1)]))
    : choices.one(VALUES)

/**
 * A module that validates a value against a schema of any draft, with any keywords, alone or nested. Of several mistakes
 * in a schema either engine may report the first.
 */
export function schemaModule(seed: Choices): string {
  const choices = new Choices(numbersFrom(seed.below(2 ** 31), 400))
  const schema = JSON.stringify(new Schemas(choices).root())
  const document = JSON.stringify(JSON.stringify(documentOf(choices, 2)))
  return `package gen.main

r0 := json.verify_schema(${schema})[0]

r1 := json.match_schema(${document}, ${schema})
`
}
