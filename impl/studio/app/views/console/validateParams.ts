import { type OutputUnit, Validator } from '@cfworker/json-schema'
import type { Components, Member, Schema } from './schema.ts'

/** What is wrong, by the path of the value: `intent.from`; the parameters themselves are ``. */
export type Problems = ReadonlyMap<string, string>

/** Only name a place below, or repeat what is said there. */
const outer = new Set(['properties', '$ref', 'items', 'prefixItems', 'patternProperties'])

const pathOf = (location: string): string =>
  location
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')

/** A missing member is a problem of that member. */
function problemOf({ instanceLocation, keyword, error }: OutputUnit): readonly [string, string] {
  const path = pathOf(instanceLocation)
  const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
  if (missing !== undefined) return [path === '' ? missing : `${path}.${missing}`, 'is required']
  if (keyword === 'pattern') return [path, 'does not have the required form']
  return [path, error.replaceAll(/"([^"]{60})[^"]*"/g, '"$1…"')]
}

/**
 * Validates the parameters of a method without compiling code, which the page does not allow.
 *
 * @returns the first problem of every place, none where the parameters are valid
 */
export function problemsOf(
  params: unknown,
  members: readonly Member[],
  components: Components,
): Problems {
  const schema = {
    type: 'object',
    required: members.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(members.map((member) => [member.name, member.schema])),
    components,
  } as Schema
  const { errors } = new Validator(schema as never, '2020-12', false).validate(params)
  const problems = new Map<string, string>()
  for (const unit of errors) {
    const [path, message] = problemOf(unit)
    if (!outer.has(unit.keyword) && !problems.has(path)) problems.set(path, message)
  }
  return problems
}

/** Whether a value is valid on its own. */
export const isValid = (value: unknown, schema: Schema, components: Components): boolean =>
  problemsOf({ value }, [{ name: 'value', required: true, schema }], components).size === 0
