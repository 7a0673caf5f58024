import { withMember } from '../scenarios/requests.ts'
import { pairwise } from './pairwise.ts'
import { type Parameter, parameters } from './parameters.ts'
import { type Rule, rulesOf } from './rules.ts'

/** A parameter with a value that breaks a rule. */
export type MalformedCase = {
  readonly parameter: Parameter
  readonly rule: Rule
  /** Of the sample that a run tries by default. */
  readonly sampled: boolean
}

const all = parameters.flatMap((parameter) =>
  rulesOf(parameter).map((rule) => ({ parameter, rule })),
)

/** Every two of method, parameter and rule that can meet. */
const sample = new Set(
  pairwise(all, ({ parameter: { method, path, kind }, rule: { name } }) => [
    method,
    path,
    `${kind}: ${name}`,
  ]),
)

/** Every rule for every parameter of every method. */
export const matrix: readonly MalformedCase[] = all.map((each) => ({
  ...each,
  sampled: sample.has(each),
}))

const somewhere = `0x${'11'.repeat(20)}`

/** A valid entry of each array, for a fault in one of its members. */
const entries: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  policy_data: { policy_data_address: somewhere, wasm_args: '0x' },
  'policy_task_data.policyData': {
    wasmArgs: '0x',
    data: '0x7b7d',
    attestation: '0x',
    policyDataAddress: somewhere,
    expireBlock: 4_000_000_000,
  },
}

/** Valid params with one malformed value. */
export function malformed<T>(
  params: T,
  { parameter: { path }, rule: { value } }: MalformedCase,
): T {
  const [outer = '', inner] = path.split('[].')
  if (inner === undefined) return withMember(params, path, value)
  const entry = entries[outer]
  if (entry === undefined) throw new Error(`no valid entry of ${outer} is known`)
  return withMember(params, outer, [withMember(entry, inner, value)])
}
