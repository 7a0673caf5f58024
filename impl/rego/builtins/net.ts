import { BuiltinError, LimitError } from '../errors.ts'
import { RegoSet } from '../values/set.ts'
import { isArray, isComposite, isSet, type Value } from '../values/value.ts'
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
import { asString, unavailable, wrongType } from './operands.ts'
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

/** A network to compare with its name: itself, its index or its key. */
type Named = { readonly key: Value; readonly item: Value }

/** The network of an item: itself, or the first member of an array. */
function itemOf({ item }: Named, position: number): Value {
  const first = isArray(item) ? item[0] : item
  if (first === undefined || (!isArray(item) && typeof item !== 'string')) {
    throw new BuiltinError(`operand ${position}: element must be string or non-empty array`)
  }
  return first
}

function named(value: Value, position: number): readonly Named[] {
  const one = (key: Value, item: Value): Named => ({ key, item })
  if (typeof value === 'string') return [one(value, value)]
  if (!isComposite(value)) throw wrongType(position, value, 'string', 'array', 'set', 'object')
  if (isArray(value)) return value.map((item, i) => one(i, item))
  if (value.kind === 'set') return value.values().map((item) => one(item, item))
  return value.entries().map(([key, item]) => one(key, item))
}

function containsMatches(ctx: BuiltinContext, a: Value, b: Value): Value {
  const outer = named(a, 1)
  const inner = named(b, 2)
  ctx.meter.charge(outer.length * 8 + inner.length * 8)
  const found = new RegoSet()
  const narrow = new Map<Named, Range>()
  for (const one of outer) {
    const item = itemOf(one, 1)
    let wide: Range | undefined
    // Charged by row instead of in total, so that the deadline is checked in between.
    ctx.meter.charge(1 + inner.length)
    // Operands are read when a pair is compared, which decides about the error.
    for (const other of inner) {
      let range = narrow.get(other)
      if (wide === undefined || range === undefined) {
        const otherItem = itemOf(other, 2)
        wide ??= cidr(asString(item, 1))
        range ??= cidrOrAddress(asString(otherItem, 1))
        narrow.set(other, range)
      }
      if (!contains(wide, range)) continue
      ctx.meter.allocate(64)
      found.add([one.key, other.key])
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
function classful(text: Value): Range {
  if (typeof text !== 'string') throw new BuiltinError('element must be string')
  const range = parseCidr(text)
  if (range !== undefined) return range
  const address = parseAddress(text)
  if (address === undefined) throw new BuiltinError(`invalid CIDR address: ${text}`)
  if (address.bits === 128) throw new BuiltinError('IPv6 invalid: needs prefix length')
  const high = Number(address.value >> 24n)
  return network(address, high < 128 ? 8 : high < 192 ? 16 : 24)
}

function mergeAll(ctx: BuiltinContext, a: Value): Value {
  if (!isArray(a) && !isSet(a)) throw new BuiltinError('operand must be an array')
  const items = isArray(a) ? a : a.values()
  ctx.meter.charge(items.length * 64)
  ctx.meter.allocate(items.length * 256)
  return RegoSet.from(merge(items.map(classful)))
}

const isValid = (_: BuiltinContext, a: Value): Value =>
  typeof a === 'string' && parseCidr(a) !== undefined

/** OPA checks the first operand completely, and calls both operand 1. */
const binary = (
  name: string,
  readSecond: (text: string) => Range,
  test: (a: Range, b: Range) => boolean,
): Builtin => ({
  name,
  args: [STRING, STRING],
  result: BOOLEAN,
  call: (ctx, a: Value, b: Value) => {
    ctx.meter.charge(16)
    const first = cidr(asString(a, 1))
    return test(first, readSecond(asString(b, 1)))
  },
})

const ITEM = union(STRING, ANY_ARRAY)
const CIDRS = union(STRING, arrayOf(ITEM), objectOf(STRING, ITEM), setOf(ITEM))

export const netBuiltins: readonly Builtin[] = [
  binary('net.cidr_contains', cidrOrAddress, contains),
  binary('net.cidr_intersects', cidr, intersects),
  { ...binary('net.cidr_overlap', cidrOrAddress, contains), deprecated: true },
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
    name: 'net.lookup_ip_addr',
    args: [STRING],
    result: setOf(STRING),
    nondeterministic: true,
    // Operators would not get the same answer (decision R12).
    call: () => unavailable('there is no network access'),
  },
]
