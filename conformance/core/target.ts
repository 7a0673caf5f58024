import type { Brand } from 'polgate-protocol/brand.ts'
import type { Network } from 'polgate-protocol/explorer.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { KeyName } from './exchange.ts'

/** Limits on the requests to a target, set by its owner. */
export type Limits = {
  /** Nothing is written, on no surface. */
  readonly readOnly?: boolean
  /** Requests a second. */
  readonly maxRps?: number
  /** Requests of the whole run. */
  readonly budget?: number
}

/** A public address, and the local port to which it forwards. */
export type WebhookReceiverPlace = {
  readonly url: string
  readonly port: number
  readonly host?: string | undefined
}

/** A chain that the explorer shows, by the value of its network header. */
export type ExploredNetwork = {
  readonly rpcUrl?: string | undefined
  readonly chainId?: number | undefined
  readonly taskManager?: StackDescription['chain']['taskManager'] | undefined
  readonly policyFactory?: StackDescription['chain']['taskManager'] | undefined
}

/** The private key is optional if only the address is needed. */
export type KnownAccount = {
  readonly address: `0x${string}`
  readonly privateKey?: `0x${string}` | undefined
}

/** Vendor and version of the target, for reports. */
export type Identity = {
  readonly maker?: string | undefined
  readonly release?: string | undefined
  readonly image?: string | undefined
  readonly digest?: string | undefined
}

/**
 * What the suite knows of a target. Everything but the address is optional; checks declare what
 * they need.
 */
export type Target = {
  /** `local`, or the URL as it was given. */
  readonly name: string
  /** Without a path; the endpoint is `{gatewayUrl}/rpc`. */
  readonly gatewayUrl: string
  readonly brand: Brand
  readonly keys: Readonly<Partial<Record<KeyName, string>>>
  readonly controlUrl?: string | undefined
  /** Address that controls faults between its parts: see `kit/servers/chaosControl.ts`. */
  readonly chaosUrl?: string | undefined
  readonly fixtureHostUrl?: string | undefined
  /**
   * WebSocket address; `/ws` of the gateway by default (decision W1). `{key}` in it stands for the
   * API key.
   */
  readonly updatesUrl?: string | undefined
  /** Without `/v1` (section 4.12). */
  readonly explorerUrl?: string | undefined
  /** The network header's value for the gateway's chain; omitted if it is the default. */
  readonly explorerNetwork?: Network | undefined
  /** How long the explorer may lag behind an event, seconds. */
  readonly explorerLagSeconds?: number | undefined
  /** Chains that the explorer shows, by name; may include the gateway's own. */
  readonly networks?: Readonly<Partial<Record<Network, ExploredNetwork>>> | undefined
  /** The gateway cannot reach this machine, even if its address is local. */
  readonly noReceiver?: boolean | undefined
  /** Where the suite receives webhooks if the gateway cannot reach loopback. */
  readonly webhookReceiver?: WebhookReceiverPlace | undefined
  readonly chain?: StackDescription['chain'] | undefined
  readonly accounts?:
    | Readonly<Partial<Record<keyof StackDescription['accounts'], KnownAccount>>>
    | undefined
  readonly operators?: StackDescription['operators'] | undefined
  readonly clients: StackDescription['clients']
  readonly limits?: Limits | undefined
  readonly identity?: Identity | undefined
  /** The reference implementation: must also satisfy its decisions on open points. */
  readonly reference?: boolean | undefined
  /**
   * Capabilities that this target cannot have, each with a reason: not applicable instead of
   * untestable.
   */
  readonly notApplicable: Readonly<Record<string, string>>
}
