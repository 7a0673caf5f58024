import { isBlockedPort } from '../net/blockedPorts.ts'
import { EgressError, refuseLiteral } from '../net/guardedLookup.ts'
import { WebhookError } from './webhookError.ts'

/** A place that notifications may be sent to, as far as can be said before its name is resolved. */
export type Target = {
  readonly url: URL
  /** This machine: allowed to local stacks alone, and then nothing else is. */
  readonly loopback: boolean
}

export type TargetOptions = {
  /** Also `http://127.0.0.1` and `http://localhost`, any port (decision W8). */
  readonly allowLoopback: boolean
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost'])
/** Names that never lead off the machine or out of a network, whoever answers for them. */
const innerName = /(^|\.)(localhost|local|internal)\.?$/

/** Without white space, backslashes and control characters, which a parser would pass over. */
const wellFormed = /^https?:\/\/[^\s\\\p{Cc}\p{Cs}]+$/iu

/**
 * Checks the address of a webhook: HTTPS, no credentials in it, no port of another protocol, no private
 * address in any notation.
 * What a name leads to is checked at every delivery, when the connection is made.
 *
 * @throws WebhookError `url` or `address` (decision W8)
 */
export function parseTarget(text: string, { allowLoopback }: TargetOptions): Target {
  const url = wellFormed.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw new WebhookError('url', 'must be an HTTPS URL')
  if (url.username !== '' || url.password !== '')
    throw new WebhookError('url', 'must not contain credentials')
  if (allowLoopback && loopbackHosts.has(url.hostname)) return { url, loopback: true }
  if (url.protocol !== 'https:') throw new WebhookError('url', 'must be an HTTPS URL')
  // As for oracles (decision W8): hosts that the configuration allows may have any port.
  if (isBlockedPort(url))
    throw new WebhookError('address', `port ${url.port} is not for HTTP; use another one`)
  if (innerName.test(url.hostname)) throw notPublic(url)
  try {
    refuseLiteral(url)
  } catch (error) {
    throw error instanceof EgressError ? notPublic(url, error) : error
  }
  return { url, loopback: false }
}

const notPublic = (url: URL, cause?: unknown) =>
  new WebhookError('address', `${url.hostname} is not a public address`, cause)
