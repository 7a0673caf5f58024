import { isBlockedPort } from '../net/blockedPorts.ts'
import { EgressError, refuseLiteral } from '../net/guardedLookup.ts'
import { WebhookError } from './webhookError.ts'

/** An allowed receiver URL, before its name is resolved. */
export type Target = {
  readonly url: URL
  /** This machine, which only local stacks allow. */
  readonly loopback: boolean
}

export type TargetOptions = {
  /** Accept `http://127.0.0.1` and `http://localhost` too, on any port (decision W8). */
  readonly allowLoopback: boolean
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost'])
/** Names reserved for this machine or a private network, regardless of resolution. */
const innerName = /(^|\.)(localhost|local|internal)\.?$/

/** Without white space, backslashes and control characters, which URL parsers skip. */
const wellFormed = /^https?:\/\/[^\s\\\p{Cc}\p{Cs}]+$/iu

/**
 * Validates the URL of a webhook: HTTPS, without credentials, not a port of another protocol, not a
 * private address in any notation. Resolved addresses are checked for every delivery, on
 * connecting.
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
  // As for oracles (decision W8): hosts that the configuration allows may use any port.
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
