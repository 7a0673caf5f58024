import { basename } from 'node:path'
import { checkModules } from 'polgate-rego/check/checkModules.ts'
import { compileModules } from 'polgate-rego/compile/program.ts'
import { contextOf, lintModules } from 'polgate-rego/lint/lintModules.ts'
import { readsOf } from 'polgate-rego/lint/reads.ts'
import {
  canonicalSignature,
  functionText,
  isDeclaration,
} from 'polgate-rego/lint/rules/functionText.ts'
import { unrestrictedTarget } from 'polgate-rego/lint/rules/unrestrictedTarget.ts'
import { LINT_RULES } from 'polgate-rego/lint/rules.ts'
import { parseJson } from '../policy/inputFiles.ts'
import { usedCapabilities } from '../rego/usedCapabilities.ts'
import { jsonPlace } from './jsonPlace.ts'
import type { PackageWarning } from './packageWarning.ts'
import type { PolicyPackage } from './policyPackage.ts'

/** What is warned of in a policy depends on this. */
export type WarnedPolicy = Pick<PolicyPackage, 'policy' | 'params' | 'entrypoint' | 'file'> & {
  readonly oracles: readonly Pick<PolicyPackage['oracles'][number], 'id'>[]
  readonly client: Pick<PolicyPackage['client'], 'restrictsTarget'>
}

/** Coverage says which deny rules have no case. */
const ownReport = 'untested-deny'

/**
 * Parameters that no rule reads, parameters that rules read and the package does not give, and what lint finds. A
 * policy that does not compile has no warnings: evaluating it reports the error. It may take long for a policy of
 * somebody else: call it in a thread that can be ended.
 */
export async function policyWarnings(loaded: WarnedPolicy): Promise<readonly PackageWarning[]> {
  const { policy, params, oracles, entrypoint } = loaded
  const sources = [{ name: basename(policy.path), source: policy.text }]
  const builtins = (await usedCapabilities([policy.text])).service
  const { errors, modules } = checkModules({ modules: sources, builtins })
  if (errors.length > 0) return []
  const given = params === undefined ? {} : (parseJson(params.path, params.text) as object)
  const file = params === undefined ? loaded.file : params.path
  const isLeftOut = (id: string): boolean =>
    id === ownReport ||
    (id === unrestrictedTarget.id && loaded.client.restrictsTarget !== undefined)
  const rules = LINT_RULES.map(({ id }) => id).filter((id) => !isLeftOut(id))
  const findings = lintModules({ modules, builtins, rules, params: leaves(given), entrypoint })
  const { program, policies } = contextOf(compileModules(modules, builtins))
  const reads = readsOf(program.tree, policies)
  return [
    ...findings.map(({ rule, message, help, place }) => ({
      ...{ id: rule, message, help },
      place: place === undefined ? file : `${policy.path}:${place.row}:${place.col}`,
    })),
    ...declaredParams(loaded, given),
    ...missingParams(reads, given).map(({ path, row, col, all }) => ({
      id: 'missing-param',
      place: `${policy.path}:${row}:${col}`,
      message: `the policy reads data.params.${path}, but ${basename(file)} does not give it`,
      help: all
        ? 'no parameter that the policy reads is given: are the parameters below another member, as in a manifest? They are the top-level members of the file'
        : 'a condition on it is undefined: a deny rule with it never holds',
    })),
    ...[
      ...new Set(reads.flatMap(({ path: [root, pack] }) => (root === 'wasm' ? (pack ?? []) : []))),
    ]
      .filter((pack) => !oracles.some(({ id }) => id === pack))
      .map((pack) => ({
        id: 'missing-oracle',
        place: policy.path,
        message: `the policy reads data.wasm.${pack}, but no oracle has this id`,
        help: `oracles of ${basename(loaded.file)} are: ${oracles.map(({ id }) => id).join(', ') || 'none'}`,
      })),
  ]
}

/** A policy may compare the signature of the call with a parameter. */
function declaredParams(
  { policy, params }: WarnedPolicy,
  given: object,
): readonly PackageWarning[] {
  if (params === undefined || !policy.text.includes('decoded_function_signature')) return []
  return texts(given).flatMap(({ at, text }) => {
    if (!isDeclaration(text)) return []
    const canonical = canonicalSignature(text) ?? 'its canonical signature'
    return [
      {
        id: functionText.id,
        place: jsonPlace(params, at),
        message: `input.decoded_function_signature is never ${JSON.stringify(text.slice(0, 200))}: it has neither the word function nor names`,
        help: `write ${JSON.stringify(canonical)}`,
      },
    ]
  })
}

/** The texts in a document, with their JSON pointers. */
function texts(value: unknown, at = ''): { readonly at: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ at, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    texts(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

type Missing = {
  readonly path: string
  readonly row: number
  readonly col: number
  /** Whether nothing that the policy reads is given. */
  readonly all: boolean
}

function missingParams(reads: ReturnType<typeof readsOf>, given: object): readonly Missing[] {
  const wanted = new Map<string, { row: number; col: number; parts: readonly string[] }>()
  for (const { path, span } of reads) {
    const [root, ...parts] = path
    if (root !== 'params' || parts.length === 0 || wanted.has(parts.join('.'))) continue
    wanted.set(parts.join('.'), { ...span.location, parts })
  }
  const missing = [...wanted].filter(([, { parts }]) => !has(given, parts))
  const all = missing.length === wanted.size
  return missing.map(([path, { row, col }]) => ({ path, row, col, all }))
}

function has(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return false
  // What is inside of an array depends on its values.
  return Array.isArray(value) || has(Reflect.get(value, first), rest)
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).length > 0

const leaves = (value: object, above: readonly string[] = []): string[][] =>
  Object.entries(value).flatMap(([name, member]) =>
    isGroup(member) ? leaves(member, [...above, name]) : [[...above, name]],
  )
