import { type Static, Type } from '@sinclair/typebox'

/**
 * All branded names on the wire (decision E13). A gateway with another prefix is served, or
 * certified, with another `Brand`; no other code contains a branded name.
 */
export const Brand = Type.Object(
  {
    /** Prefix of every JSON-RPC method: `svc_` in `svc_createTask`. */
    methodPrefix: Type.String(),
    /** Prefix of a WebSocket topic: `service.task.` before the task id. */
    topicPrefix: Type.String(),
    /** Package of the oracle host interfaces: `service:provider` in `service:provider/http@0.2.0`. */
    witPackage: Type.String(),
    /** Namespace of the Rego extensions: `service` in `service.crypto.ecdsa_recover_signer`. */
    regoNamespace: Type.String(),
    signatureHeader: Type.String(),
    networkHeader: Type.String(),
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
