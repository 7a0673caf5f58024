/**
 * Every name on the wire that carries the maker's brand (decision E13). A gateway with a prefix of
 * its own is served, or certified, by another `Brand`; no code knows a branded name of its own.
 */
export type Brand = {
  /** Prefix of every JSON-RPC method: `svc_` in `svc_createTask`. */
  readonly methodPrefix: string
  /** Prefix of a WebSocket topic: `service.task.` before the task id. */
  readonly topicPrefix: string
  /** Package of the oracle host interfaces: `service:provider` in `service:provider/http@0.2.0`. */
  readonly witPackage: string
  /** Namespace of the Rego extensions: `service` in `service.crypto.ecdsa_recover_signer`. */
  readonly regoNamespace: string
  readonly signatureHeader: string
  readonly networkHeader: string
}

export const defaultBrand: Brand = {
  methodPrefix: 'svc_',
  topicPrefix: 'service.task.',
  witPackage: 'service:provider',
  regoNamespace: 'service',
  signatureHeader: 'X-Service-Signature',
  networkHeader: 'X-Protocol-Network',
}
