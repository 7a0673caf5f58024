import { type MethodName, methods } from 'polgate-protocol/methods.ts'
import { Address, Bytes32, ChainId, Data, LenientData, Quantity } from 'polgate-protocol/scalars.ts'
import type { Kind } from './kind.ts'
import { specified } from './specified.ts'

/** One parameter of a method, nested ones included. */
export type Parameter = {
  readonly method: MethodName
  /** `intent.value`; the members of the entries of an array: `policy_data[].wasm_args`. */
  readonly path: string
  readonly kind: Kind
  readonly required: boolean
  /** The clause that defines it. */
  readonly clause: string
}

/** A JSON Schema, as far as it describes params. */
type Schema = {
  readonly type?: string
  readonly pattern?: string
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

const byPattern: Readonly<Record<string, Kind>> = {
  [Address.pattern as string]: 'address',
  [Quantity.pattern as string]: 'quantity',
  [ChainId.pattern as string]: 'chain id',
  [Data.pattern as string]: 'data',
  [LenientData.pattern as string]: 'bytes',
  [Bytes32.pattern as string]: '32 bytes',
}

function kindOf({ type, pattern, maximum }: Schema): Kind {
  if (type === 'string') return byPattern[pattern ?? ''] ?? 'text'
  if (type === 'integer' && maximum === 0xffffffff) return 'uint32'
  if (type === 'integer' && maximum === Number.MAX_SAFE_INTEGER) return 'chain number'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean' || type === 'object' || type === 'array') return type
  throw new Error(`no kind of parameter has a schema of type '${type}'`)
}

type Member = {
  readonly path: string
  readonly schema: Schema
  readonly required: boolean
}

function membersOf({ properties = {}, required = [] }: Schema, prefix = ''): readonly Member[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`
    const entries = schema.items
    return [
      { path, schema, required: required.includes(name) },
      ...membersOf(schema, `${path}.`),
      ...(entries?.properties === undefined ? [] : membersOf(entries, `${path}[].`)),
    ]
  })
}

const all = Object.entries(methods).flatMap(([method, { params }]) =>
  membersOf(params as Schema).map((member) => ({ method: method as MethodName, ...member })),
)

/** `createTask.intent.value`. */
export const nameOf = ({ method, path }: Pick<Parameter, 'method' | 'path'>): string =>
  `${method}.${path}`

/** Every parameter of every method that the specification defines. */
export const parameters: readonly Parameter[] = all.flatMap((member) => {
  const found = specified[nameOf(member)]
  if (found === undefined) return []
  const { clause, kind = kindOf(member.schema), required = member.required } = found
  return [{ method: member.method, path: member.path, kind, required, clause }]
})

/** Parameters that the methods accept without a word of the specification. */
export const unspecified: readonly string[] = all
  .map(nameOf)
  .filter((name) => specified[name] === undefined)
