import { stringifyExact } from 'polgate-protocol/exactJson.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of a manifest around the parameters. */
const wrappers = ['params', 'policy_params', 'policyParams', 'parameters']

/**
 * Parameters that a manifest has below another member, where the policy looks at the top: published as they
 * are, every condition on them would be undefined.
 *
 * @param known names of the schema's properties
 */
export function withoutManifest(
  value: unknown,
  known: readonly string[],
): { readonly value: unknown; readonly wrapper: string | undefined } {
  if (!isObject(value)) return { value, wrapper: undefined }
  const wrapper = wrappers.find((name) => isObject(value[name]) && !known.includes(name))
  const ownNames = Object.keys(value).some((name) => known.includes(name))
  if (wrapper === undefined || ownNames) return { value, wrapper: undefined }
  return { value: value[wrapper], wrapper }
}

/** Names of the properties of a schema. */
export function propertiesOf(schema: unknown): readonly string[] {
  const properties = isObject(schema) ? schema.properties : undefined
  return isObject(properties) ? Object.keys(properties) : []
}

/** Parameters from the defaults of a schema; undefined unless every required one has a default. */
export function defaultsOf(schema: unknown): object | undefined {
  const { properties, required } = isObject(schema) ? schema : {}
  if (!isObject(properties)) return undefined
  const given = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && property.default !== undefined ? [[name, property.default] as const] : [],
  )
  const names = given.map(([name]) => name)
  const wanted = Array.isArray(required) ? required : []
  return wanted.every((name) => names.includes(String(name)))
    ? Object.fromEntries(given)
    : undefined
}

/** An intent as callers send it (section 2.2), from one as the explorer shows it. */
export function wireIntent(intent: unknown): unknown {
  if (!isObject(intent)) return intent
  const { chainId, functionSignature, ...rest } = intent
  const hex = (value: unknown): unknown => {
    const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
    return typeof text === 'string' && /^\d+$/.test(text) ? `0x${BigInt(text).toString(16)}` : value
  }
  return {
    ...rest,
    ...('value' in rest ? { value: hex(rest.value) } : {}),
    chain_id: hex(rest.chain_id ?? chainId),
    function_signature: rest.function_signature ?? functionSignature ?? '0x',
  }
}

export const jsonText = (value: unknown): string => `${stringifyExact(value)}\n`
