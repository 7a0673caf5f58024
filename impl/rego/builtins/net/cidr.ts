import ipaddr from 'ipaddr.js'
import { toHex } from '#platform'

/** An address as a number of 32 or 128 bits. */
export type Address = { readonly value: bigint; readonly bits: 32 | 128 }

/** All addresses from first to last, inclusive. */
export type Range = { readonly first: bigint; readonly last: bigint; readonly bits: 32 | 128 }

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)

/** Parses an address: four decimal numbers without leading zeros, or IPv6. */
export function parseAddress(text: string): Address | undefined {
  if (IPV4.test(text)) {
    const value = text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
    return { value, bits: 32 }
  }
  if (text.length > 45 || !/^[\da-f:.]+$/i.test(text) || !ipaddr.IPv6.isValid(text))
    return undefined
  const bytes = ipaddr.IPv6.parse(text).toByteArray()
  return { value: BigInt(`0x${toHex(Uint8Array.from(bytes))}`), bits: 128 }
}

const PREFIX = /^(0|[1-9]\d{0,2})$/

/** Parses `address/prefix`: the network that contains the address. */
export function parseCidr(text: string): Range | undefined {
  const [host = '', prefix = '', ...rest] = text.split('/')
  const address = parseAddress(host)
  if (address === undefined || rest.length > 0 || !PREFIX.test(prefix)) return undefined
  return Number(prefix) <= address.bits ? network(address, Number(prefix)) : undefined
}

export function network({ value, bits }: Address, prefix: number): Range {
  const size = 1n << BigInt(bits - prefix)
  const first = (value / size) * size
  return { first, last: first + size - 1n, bits }
}

export const contains = (outer: Range, inner: Range): boolean =>
  outer.bits === inner.bits && outer.first <= inner.first && inner.last <= outer.last

export const intersects = (a: Range, b: Range): boolean =>
  a.bits === b.bits && a.first <= b.last && b.first <= a.last

/** The shortest canonical form; IPv6 in lower case with the longest run of zeros omitted. */
export function formatAddress({ value, bits }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, i) => (value >> BigInt(112 - 16 * i)) & 0xffffn)
  return new ipaddr.IPv6(groups.map(Number)).toRFC5952String()
}

/** Merges ranges, into as few networks as cover them exactly. */
export function merge(ranges: readonly Range[]): readonly string[] {
  const sorted = [...ranges].sort(
    (a, b) => a.bits - b.bits || (a.first < b.first ? -1 : a.first > b.first ? 1 : 0),
  )
  const merged: Range[] = []
  for (const range of sorted) {
    const before = merged.at(-1)
    if (before !== undefined && before.bits === range.bits && range.first <= before.last + 1n) {
      if (range.last <= before.last) continue
      merged[merged.length - 1] = { ...before, last: range.last }
    } else merged.push(range)
  }
  return merged.flatMap(networksOf)
}

/** The networks that cover a range exactly, each as large as its start and the rest allow. */
function networksOf({ first, last, bits }: Range): string[] {
  const found: string[] = []
  for (let at = first; at <= last; ) {
    let prefix = bits as number
    while (prefix > 0) {
      const size = 1n << BigInt(bits - prefix + 1)
      if (at % size !== 0n || at + size - 1n > last) break
      prefix--
    }
    found.push(`${formatAddress({ value: at, bits })}/${prefix}`)
    at += 1n << BigInt(bits - prefix)
  }
  return found
}
