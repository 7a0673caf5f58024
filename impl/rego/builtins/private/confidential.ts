import { isArray, isObject, type ObjectValue, type Value } from '../../values/value.ts'
import type { Builtin, BuiltinContext } from '../builtin.ts'
import { fatal, fatalConstant, text } from '../extensionErrors.ts'
import { ANY, BOOLEAN, NUMBER, STRING } from '../types.ts'

/** The data types of lists of addresses. */
const LISTS = ['blacklist', 'allowlist'] as const

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/**
 * The document of a source. Whatever keeps it from being read ends the evaluation: an undefined list would
 * make a deny rule not hold.
 *
 * @throws BuiltinError, fatal, with a constant text
 */
function documentOf(ctx: BuiltinContext, dataType: string): ObjectValue {
  const { privateData } = ctx
  if (privateData === undefined) {
    throw fatalConstant(
      'this evaluation has no confidential data; in tests, replace the call by `with`',
    )
  }
  const source = privateData.confidential.get(dataType)
  if (source === undefined) throw fatalConstant('the policy client has no source of this data type')
  if (!source.granted)
    throw fatalConstant('the provider does not grant access to the policy client')
  if (source.data === null) throw fatalConstant('the provider has published no data')
  return source.data
}

/** The addresses of a list in lower case, each once. */
function addressesOf(ctx: BuiltinContext, dataType: string): ReadonlySet<string> {
  const key = `confidential/${dataType}`
  const known = ctx.memo.get(key)
  if (known !== undefined) return known as ReadonlySet<string>
  const entries = documentOf(ctx, dataType).get('entries')
  if (entries === undefined || !isArray(entries)) throw notAddresses()
  ctx.meter.charge(entries.length)
  ctx.meter.allocate(128 * entries.length)
  const addresses = new Set<string>()
  for (const entry of entries) {
    if (typeof entry !== 'string' || !ADDRESS.test(entry)) throw notAddresses()
    addresses.add(entry.toLowerCase())
  }
  ctx.memo.set(key, addresses)
  return addresses
}

const notAddresses = () => fatalConstant('`entries` of the data is not an array of addresses')

function addressIn(value: Value): string {
  const address = text(value, 1)
  if (!ADDRESS.test(address)) throw fatal('operand 1 must be an address of 0x and 40 hex digits')
  return address.toLowerCase()
}

const listExtensions = (prefix: string, dataType: string): readonly Builtin[] => [
  {
    name: `${prefix}.confidential.${dataType}.contains`,
    args: [STRING],
    result: BOOLEAN,
    nondeterministic: true,
    reads: { kind: 'confidential', dataType },
    call: (ctx, address: Value) => addressesOf(ctx, dataType).has(addressIn(address)),
  },
  {
    name: `${prefix}.confidential.${dataType}.count`,
    args: [],
    result: NUMBER,
    nondeterministic: true,
    reads: { kind: 'confidential', dataType },
    call: (ctx) => addressesOf(ctx, dataType).size,
  },
]

/**
 * Reads of the documents that providers grant to the policy client. A document that cannot be read ends the
 * evaluation, in both modes; a key that a document lacks is undefined.
 */
export const confidentialExtensions = (prefix: string): readonly Builtin[] => [
  ...LISTS.flatMap((dataType) => listExtensions(prefix, dataType)),
  {
    name: `${prefix}.confidential.get`,
    args: [STRING, STRING],
    result: ANY,
    nondeterministic: true,
    reads: { kind: 'confidential' },
    call: (ctx, dataType: Value, key: Value) => {
      const [type, name] = [text(dataType, 1), text(key, 2)]
      const values = documentOf(ctx, type).get('values')
      if (values === undefined) return undefined
      if (!isObject(values)) throw fatalConstant('`values` of the data is not an object')
      return values.get(name)
    },
  },
]
