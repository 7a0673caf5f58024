import type { SecretsByOracle } from 'polgate-service/oracles/recording/redactRecording.ts'
import { CommandError } from '../../commandDefinition.ts'
import type { MockHosts } from '../../package/mocksSchema.ts'

/** A host that is a secret: `${secret:RPC_URL}`, or of one oracle `${secret:price_feed/RPC_URL}`. */
const placeholder = /^\$\{secret:([^{}]{1,200})\}$/

export const isSecretHost = (host: string): boolean => placeholder.test(host)

/** As mocks and reports name it: in lower case, without a port that is usual. */
export const hostName = (host: string): string =>
  isSecretHost(host) ? host : host.toLowerCase().replace(/:(80|443)$/, '')

/**
 * The host that a placeholder stands for; other names stay. The secret is a URL, or a host with or without a port.
 *
 * @param place for errors
 * @throws CommandError without the secret
 */
export function hostOf(host: string, secrets: SecretsByOracle, place: string): string {
  const [, name] = placeholder.exec(host) ?? []
  if (name === undefined) return host
  const value = secretOf(name, secrets, place)
  const text = value.includes('://') ? value : `https://${value}`
  if (URL.canParse(text) && new URL(text).host !== '') return new URL(text).host
  throw new CommandError(`${place} the secret ${name} is neither a URL nor a host name`, {
    hint: 'Correct the test secrets.',
  })
}

function secretOf(name: string, secrets: SecretsByOracle, place: string): string {
  for (const [oracle, own] of secrets)
    for (const [key, value] of Object.entries(own))
      if (name === key || name === `${oracle}/${key}`) return value
  throw new CommandError(`${place} the host is the secret ${name}, which no oracle has`, {
    hint: 'Add it to testSecrets of its oracle; polgate start takes it from --secrets-file FILE.',
  })
}

/**
 * Mocks with the hosts that placeholders stand for, and the placeholders by these hosts.
 *
 * @param placeOf the place of a host, for errors
 * @throws CommandError without the secret
 */
export function withSecretHosts(
  hosts: MockHosts,
  secrets: SecretsByOracle,
  placeOf: (host: string) => string,
): { readonly hosts: MockHosts; readonly secretHosts: ReadonlyMap<string, string> } {
  const secretHosts = new Map<string, string>()
  const resolved = Object.entries(hosts).map(([name, byPath]) => {
    const host = hostOf(name, secrets, placeOf(name))
    if (isSecretHost(name)) secretHosts.set(hostName(host), name)
    return [host, byPath] as const
  })
  return { hosts: Object.fromEntries(resolved), secretHosts }
}
