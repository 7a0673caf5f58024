import { InvalidOptionsError } from '../errors/accessErrors.ts'

/** The branded names on the wire that a client uses (decision E13). */
export type ClientBrand = {
  /** Prefix of every method, `svc_`. */
  readonly methodPrefix: string
  /** Prefix of a WebSocket topic before the task id, `service.task.`. */
  readonly topicPrefix: string
  /** Header with the signature of a webhook, `X-Service-Signature`. */
  readonly signatureHeader: string
  /** Header that names the network to the explorer, `X-Protocol-Network`. */
  readonly networkHeader: string
}

export const defaultBrand: ClientBrand = {
  methodPrefix: 'svc_',
  topicPrefix: 'service.task.',
  signatureHeader: 'X-Service-Signature',
  networkHeader: 'X-Protocol-Network',
}

const isToken = (text: unknown) => typeof text === 'string' && /^[!-9;-~]{1,128}$/.test(text)

function named(prefix: string): ClientBrand {
  const maker = prefix.replace(/_$/, '')
  if (!/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(maker))
    throw new InvalidOptionsError(
      'The brand is not a prefix.',
      "Pass the prefix of the gateway's methods, such as acme for acme_createTask, or an object with all branded names.",
    )
  if (maker === 'svc') return defaultBrand
  const name = `${maker.charAt(0).toUpperCase()}${maker.slice(1)}`
  return {
    methodPrefix: `${maker}_`,
    topicPrefix: `${maker}.task.`,
    signatureHeader: `X-${name}-Signature`,
    networkHeader: `X-${name}-Network`,
  }
}

/**
 * The names of a brand: of a prefix, `acme` or `acme_` for `acme_createTask`, `acme.task.`,
 * `X-Acme-Signature` and `X-Acme-Network`, or of an object, whose missing members are the default.
 *
 * @throws InvalidOptionsError
 */
export function brandOf(brand: string | Partial<ClientBrand> | undefined): ClientBrand {
  if (brand === undefined) return defaultBrand
  if (typeof brand === 'string') return named(brand)
  const { methodPrefix, topicPrefix, signatureHeader, networkHeader } = {
    ...defaultBrand,
    ...brand,
  }
  const all = { methodPrefix, topicPrefix, signatureHeader, networkHeader }
  for (const [name, value] of Object.entries(all))
    if (!isToken(value))
      throw new InvalidOptionsError(`brand.${name} is not a name.`, 'Use printable ASCII.')
  return all
}
