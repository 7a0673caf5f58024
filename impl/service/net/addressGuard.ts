import ipaddr from 'ipaddr.js'

/** Public addresses that a cloud uses for its own services. */
const cloudServices = new Set(['168.63.129.16'])

/** The IPv6 range that embeds an IPv4 address: the embedded address is checked. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')

/** The global unicast range. Overlay networks and tests use addresses outside it. */
const globalV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Documentation ranges within it, regardless of the library's table. */
const refusedV6 = ['2001:db8::/32', '3fff::/20'].map((range) => ipaddr.parseCIDR(range))

/**
 * Whether a connection on behalf of a caller may go to an address (decisions O5 and W8): only
 * global unicast, in any notation. Text that is not an address is not public.
 */
export function isPublicAddress(text: string): boolean {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return false
  const address = ipaddr.process(bare)
  if (address.kind() === 'ipv4') return isPublicV4(address as ipaddr.IPv4)
  const v6 = address as ipaddr.IPv6
  if (v6.match(nat64)) return isPublicV4(new ipaddr.IPv4(v6.toByteArray().slice(12)))
  if (!v6.match(globalV6)) return false
  if (refusedV6.some((range) => v6.match(range as [ipaddr.IPv6, number]))) return false
  return v6.range() === 'unicast'
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !cloudServices.has(address.toString())
}

/** Whether an address is a loopback address, IPv4 or IPv6. */
export function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback'
}
