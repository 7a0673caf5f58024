import { BuiltinError, LimitError } from '../errors.ts'
import { RegoSet } from '../values/set.ts'
import { isArray, isComposite, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import {
  contains,
  formatAddress,
  intersects,
  merge,
  network,
  parseAddress,
  parseCidr,
  type Range,
} from './net/cidr.ts'
import { asString, asStrings, wrongType } from './operands.ts'
import { ANY, ANY_ARRAY, arrayOf, BOOLEAN, objectOf, STRING, setOf, tuple, union } from './types.ts'

/** Maximum number of addresses of `net.cidr_expand`. */
const MAX_ADDRESSES = 1 << 20

function cidr(text: string): Range {
  const range = parseCidr(text)
  if (range === undefined) throw new BuiltinError(`invalid CIDR address: ${text}`)
  return range
}

/** A network; a single address is a network of itself. */
function cidrOrAddress(text: string): Range {
  const address = parseAddress(text)
  const range = address === undefined ? parseCidr(text) : network(address, address.bits)
  if (range !== undefined) return range
  throw new BuiltinError(`not a valid textual representation of an IP address or CIDR: ${text}`)
}

type Named = { readonly key: Value; readonly range: () => Range }

/** The compared network with its name: itself, its index or its key. */
function named(value: Value, position: number, read: (text: string) => Range): readonly Named[] {
  const one = (key: Value, item: Value): Named => {
    const text = isArray(item) ? item[0] : item
    if (typeof text !== 'string') {
      throw new BuiltinError(`operand ${position}: element must be string or non-empty array`)
    }
    return { key, range: () => read(text) }
  }
  if (typeof value === 'string') return [one(value, value)]
  if (!isComposite(value)) throw wrongType(position, value, 'string', 'array', 'set', 'object')
  if (isArray(value)) return value.map((item, i) => one(i, item))
  if (value.kind === 'set') return value.values().map((item) => one(item, item))
  return value.entries().map(([key, item]) => one(key, item))
}

function containsMatches(ctx: BuiltinContext, a: Value, b: Value): Value {
  const outer = named(a, 1, cidr)
  const inner = named(b, 2, cidrOrAddress)
  ctx.meter.charge(outer.length * 8 + inner.length * 8)
  const wide = outer.map((one) => ({ key: one.key, range: one.range() }))
  const narrow = inner.map((one) => ({ key: one.key, range: one.range() }))
  const found = new RegoSet()
  for (const x of wide) {
    // Charged by row instead of in total, so that the deadline is checked in between.
    ctx.meter.charge(1 + narrow.length)
    for (const y of narrow) {
      if (!contains(x.range, y.range)) continue
      ctx.meter.allocate(64)
      found.add([x.key, y.key])
    }
  }
  return found
}

function expand(ctx: BuiltinContext, a: Value): Value {
  const { first, last, bits } = cidr(asString(a, 1))
  const count = Number(last - first) + 1
  ctx.meter.charge(count * 4)
  ctx.meter.allocate(count * 64)
  if (count > MAX_ADDRESSES) throw new LimitError(`more than ${MAX_ADDRESSES} addresses`)
  const addresses = new RegoSet()
  for (let value = first; value <= last; value++) addresses.add(formatAddress({ value, bits }))
  return addresses
}

/** The class-based mask of an address without a prefix. */
function classful(text: string): Range {
  const range = parseCidr(text)
  if (range !== undefined) return range
  const address = parseAddress(text)
  if (address === undefined) throw new BuiltinError(`${text} is not a valid IP`)
  if (address.bits === 128) throw new BuiltinError('IPv6 invalid: needs prefix length')
  const high = Number(address.value >> 24n)
  return network(address, high < 128 ? 8 : high < 192 ? 16 : 24)
}

function mergeAll(ctx: BuiltinContext, a: Value): Value {
  const texts = asStrings(a, 1)
  ctx.meter.charge(texts.length * 64)
  ctx.meter.allocate(texts.length * 256)
  return RegoSet.from(merge(texts.map(classful)))
}

const isValid = (_: BuiltinContext, a: Value): Value =>
  typeof a === 'string' && parseCidr(a) !== undefined

const binary = (name: string, test: (a: string, b: string) => boolean): Builtin => ({
  name,
  args: [STRING, STRING],
  result: BOOLEAN,
  call: (ctx, a: Value, b: Value) => {
    ctx.meter.charge(16)
    return test(asString(a, 1), asString(b, 2))
  },
})

const ITEM = union(STRING, ANY_ARRAY)
const CIDRS = union(STRING, arrayOf(ITEM), objectOf(STRING, ITEM), setOf(ITEM))

const containsCall = (a: string, b: string): boolean => contains(cidr(a), cidrOrAddress(b))
const intersectsCall = (a: string, b: string): boolean => intersects(cidr(a), cidr(b))

export const netBuiltins: readonly Builtin[] = [
  binary('net.cidr_contains', containsCall),
  binary('net.cidr_intersects', intersectsCall),
  { ...binary('net.cidr_overlap', containsCall), deprecated: true },
  {
    name: 'net.cidr_contains_matches',
    args: [CIDRS, CIDRS],
    result: setOf(tuple(ANY, ANY)),
    call: containsMatches,
  },
  { name: 'net.cidr_expand', args: [STRING], result: setOf(STRING), call: expand },
  {
    name: 'net.cidr_merge',
    args: [union(arrayOf(union(STRING)), setOf(STRING))],
    result: setOf(STRING),
    call: mergeAll,
  },
  { name: 'net.cidr_is_valid', args: [STRING], result: BOOLEAN, call: isValid },
  {
    // Undefined, because a policy must not depend on DNS (decision R12).
    name: 'net.lookup_ip_addr',
    args: [STRING],
    result: setOf(STRING),
    nondeterministic: true,
    call: () => undefined,
  },
]
