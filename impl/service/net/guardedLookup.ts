import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { isPublicAddress } from './addressGuard.ts'

/** All addresses of a host name, as `dns.lookup` returns them with `all: true`. */
export type Lookup = (hostname: string) => Promise<LookupAddress[]>

/** A destination that may not be reached. The message names the host, never path or query. */
export class EgressError extends AppError {}

/** Uses the system resolver, like `connect`. */
export const systemAddresses: Lookup = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error) reject(new EgressError(`the host ${hostname} has no address`, { cause: error }))
      else resolve(addresses)
    })
  })

/**
 * Queries only the name servers. It does not occupy one of the few threads that `systemAddresses`
 * shares with files and ciphers, so unresponsive name servers block nothing else.
 *
 * @param servers `address:port`; default: those of the system
 */
export function nameServerAddresses(servers?: readonly string[], timeoutMs = 2_000): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return async (hostname) => {
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ])
    const addresses = answers.flatMap((answer, at) =>
      answer.status === 'rejected'
        ? []
        : answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 })),
    )
    if (addresses.length === 0) throw new EgressError(`the host ${hostname} has no address`)
    // A name may have hundreds of addresses, and a connection tries them one after another.
    return addresses.slice(0, maxAddresses)
  }
}

const maxAddresses = 16

/** Rejects a name unless all of its addresses are acceptable. */
export const onlyAddresses =
  (resolve: Lookup, acceptable: (address: string) => boolean): Lookup =>
  async (hostname) => {
    const addresses = await resolve(hostname)
    // One forbidden address among public ones is as dangerous as one alone.
    if (!addresses.every(({ address }) => acceptable(address))) {
      throw refusal(hostname, ' once the name is resolved')
    }
    return addresses
  }

/** Rejects names with any address that is not public. */
export const publicOnly = (resolve: Lookup): Lookup => onlyAddresses(resolve, isPublicAddress)

/**
 * Checks an address literal in a URL, for which sockets do not call the lookup.
 *
 * @throws EgressError
 */
export function refuseLiteral(url: URL): void {
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw refusal(url.hostname)
}

/**
 * Adapts a lookup to the callback of a socket. The socket connects to exactly these addresses and
 * does not resolve the name again.
 */
export const socketLookup =
  (resolve: Lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const first = addresses[0]
        if (!first) callback(new EgressError(`the host ${hostname} has no address`) as Error, [])
        else if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, []),
    )
  }

function refusal(hostname: string, when = ''): EgressError {
  return new EgressError(`requests to ${hostname} are refused: not a public address${when}`)
}
