import { type Static, Type } from '@sinclair/typebox'

const name = (description: string, example: string) =>
  Type.String({ description, examples: [example] })

/**
 * Every name on the wire that carries the maker's brand (decision E13). A gateway with a prefix of
 * its own is served, or certified, by another `Brand`; no code knows a branded name of its own.
 */
export const Brand = Type.Object(
  {
    methodPrefix: name('Prefix of every JSON-RPC method.', 'svc_'),
    topicPrefix: name('Prefix of a WebSocket topic, before the task id.', 'service.task.'),
    witPackage: name('Package of the oracle host interfaces.', 'service:provider'),
    regoNamespace: name('Namespace of the Rego extensions.', 'service'),
    signatureHeader: name('Header with the signature of a webhook.', 'X-Service-Signature'),
    networkHeader: name('Header that names the network to the explorer.', 'X-Protocol-Network'),
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
 * The brand of a maker on the wire, `acme` for `acme_createTask`, `acme.task.`, `X-Acme-Signature`
 * and `X-Acme-Network`. What oracles import and policies call keeps its names: they are built already.
 */
export const wireBrand = (maker: string): Brand => {
  const name = `${maker.charAt(0).toUpperCase()}${maker.slice(1)}`
  return {
    ...defaultBrand,
    methodPrefix: `${maker}_`,
    topicPrefix: `${maker}.task.`,
    signatureHeader: `X-${name}-Signature`,
    networkHeader: `X-${name}-Network`,
  }
}
