import { isObject, stubOf } from './stubs.ts'

/** Members of a manifest around the parameters. */
const wrappers = ['params', 'policy_params', 'policyParams', 'parameters']
const schemas = wrappers.flatMap((name) => [`${name}_schema`, `${name}Schema`]).concat('schema')
const jsonTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

export type Params = {
  readonly value: unknown
  readonly schema: unknown
  /** The member of a manifest that they were in; '' for a document that was a schema. */
  readonly from: string | undefined
}

/**
 * The parameters of a document, and their schema. A manifest has them below another member, where the policy looks at the
 * top: published as they are, every condition on them would be undefined. There may be a schema in the place of the
 * values or beside them, or a schema for each: then the values are its defaults, and placeholders.
 *
 * @param given.schema of a file of its own; it may describe the manifest
 * @param given.reads names of parameters that the policy reads
 */
export function paramsOf(
  document: unknown,
  { schema, reads }: { readonly schema: unknown; readonly reads: readonly string[] },
): Params {
  const isRead = (name: string): boolean =>
    (reads.length > 0 ? reads : propertiesOf(schema)).includes(name)
  if (!isObject(document) || Object.keys(document).some(isRead))
    return { value: document, schema, from: undefined }
  const found = (isMember: (value: unknown) => boolean, among: readonly string[]) =>
    among.find((name) => isMember(document[name]) && !isRead(name))
  const wrapper = found((value) => isObject(value) || isDescribed(value), wrappers)
  const beside = found(isSchema, schemas)
  if (wrapper === undefined) {
    const own = isSchema(document) ? document : document[beside ?? '']
    if (own === undefined) return { value: document, schema, from: undefined }
    return { value: stubOf(own), schema: schema ?? own, from: beside ?? '' }
  }
  const inner = document[wrapper]
  const described = isSchema(inner) ? inner : schemaOf(inner)
  const ofManifest = isObject(schema) && isObject(schema.properties) && schema.properties[wrapper]
  const own = isSchema(ofManifest) ? ofManifest : (schema ?? described ?? document[beside ?? ''])
  return { value: described === undefined ? inner : stubOf(described), schema: own, from: wrapper }
}

/** Names of the properties of a schema. */
function propertiesOf(schema: unknown): readonly string[] {
  const properties = isObject(schema) ? schema.properties : undefined
  return isObject(properties) ? Object.keys(properties) : []
}

/** A schema of an object with members. */
const isSchema = (value: unknown): boolean =>
  isObject(value) && isObject(value.properties) && (value.type ?? 'object') === 'object'

/** A schema of one parameter: values of policies have no member of this meaning. */
const isDescription = (value: unknown): boolean =>
  isObject(value) && typeof value.type === 'string' && jsonTypes.includes(value.type)

/** `[{"name": "max", "type": "number"}]` */
const isDescribed = (value: unknown): value is readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => isDescription(each) && typeof each.name === 'string')

/** The schema of parameters of which each has one; undefined for values. */
function schemaOf(value: unknown): unknown {
  const members = isDescribed(value)
    ? value.map(({ name, ...rest }) => [String(name), rest] as const)
    : isObject(value)
      ? Object.entries(value)
      : []
  if (members.length === 0 || !members.every(([, each]) => isDescription(each))) return undefined
  const all = members.map(([name, each]) => {
    const { required, ...property } = each as Readonly<Record<string, unknown>>
    const isWanted = typeof required === 'boolean' ? required : property.default === undefined
    return {
      name,
      isWanted,
      property: { ...property, ...(Array.isArray(required) ? { required } : {}) },
    }
  })
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(({ name, property }) => [name, property])),
    required: all.filter(({ isWanted }) => isWanted).map(({ name }) => name),
  }
}
