import { type Static, Type } from '@sinclair/typebox'

const name = (description: string, example: string, pattern: string) =>
  Type.String({ description, examples: [example], pattern })

const header = '^[A-Za-z][A-Za-z0-9-]{0,63}$'

/**
 * All branded names on the wire (decision E13). A gateway with another prefix is served, or
 * certified, with another `Brand`; no other code contains a branded name.
 */
export const Brand = Type.Object(
  {
    methodPrefix: name(
      'Prefix of every JSON-RPC method.',
      'svc_',
      '^(?!rpc\\.)[A-Za-z][A-Za-z0-9_./:-]{0,63}$',
    ),
    topicPrefix: name(
      'Prefix of a WebSocket topic, before the task id.',
      'service.task.',
      '^[A-Za-z][A-Za-z0-9_./:-]{0,63}$',
    ),
    witPackage: name(
      'Package of the oracle host interfaces.',
      'service:provider',
      '^(?!wasi:)[a-z][a-z0-9]*(-[a-z0-9]+)*:[a-z][a-z0-9]*(-[a-z0-9]+)*$',
    ),
    regoNamespace: name(
      'Namespace of the Rego extensions.',
      'service',
      '^(?!(data|input|as|default|else|import|package|not|with|null|true|false|some|every|if|in|contains)$)[a-z][A-Za-z0-9_]{0,63}$',
    ),
    signatureHeader: name('Header with the signature of a webhook.', 'X-Service-Signature', header),
    networkHeader: name(
      'Header that names the network to the explorer.',
      'X-Protocol-Network',
      header,
    ),
  },
  { additionalProperties: false },
)
export type Brand = Readonly<Static<typeof Brand>>

export const defaultBrand: Brand = {
  methodPrefix: 'svc_',
  topicPrefix: 'service.task.',
  witPackage: 'service:provider',
  regoNamespace: 'service',
  signatureHeader: 'X-Service-Signature',
  networkHeader: 'X-Protocol-Network',
}

/**
 * The brand `acme` on the wire: `acme_createTask`, `acme.task.`, `X-Acme-Signature` and
 * `X-Acme-Network`. Names that oracles import and policies call are unchanged, because they are
 * built already.
 */
export function wireBrand(maker: string): Brand {
  const name = `${maker.charAt(0).toUpperCase()}${maker.slice(1)}`
  return {
    ...defaultBrand,
    methodPrefix: `${maker}_`,
    topicPrefix: `${maker}.task.`,
    signatureHeader: `X-${name}-Signature`,
    networkHeader: `X-${name}-Network`,
  }
}
