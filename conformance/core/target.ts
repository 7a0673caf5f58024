import type { Brand } from 'polgate-protocol/brand.ts'
import type { Network } from 'polgate-protocol/explorer.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { KeyName } from './exchange.ts'
import type { Feature } from './features.ts'

/** How much a target is asked of: what its owner allows. */
export type Limits = {
  /** Nothing is written, on no surface. */
  readonly readOnly?: boolean
  /** Requests a second. */
  readonly maxRps?: number
  /** Requests of the whole run. */
  readonly budget?: number
}

/** A public address, and the port of this machine to which whatever is sent there comes. */
export type WebhookReceiverPlace = {
  readonly url: string
  readonly port: number
  readonly host?: string | undefined
}

/** A chain whose history the explorer shows under one name of its network header. */
export type ExploredNetwork = {
  readonly rpcUrl?: string | undefined
  readonly chainId?: number | undefined
  readonly taskManager?: StackDescription['chain']['taskManager'] | undefined
  readonly policyFactory?: StackDescription['chain']['taskManager'] | undefined
}

/** A private key may be missing where an address is all that is needed. */
export type KnownAccount = {
  readonly address: `0x${string}`
  readonly privateKey?: `0x${string}` | undefined
}

/** Who made what is tested, and which of it: what a report tells. */
export type Identity = {
  readonly maker?: string | undefined
  readonly release?: string | undefined
  readonly image?: string | undefined
  readonly digest?: string | undefined
}

/** What the suite knows of a target. All but the address may be missing; checks say what they need. */
export type Target = {
  /** `local`, or the URL as it was given. */
  readonly name: string
  /** Without a path; the endpoint is `{gatewayUrl}/rpc`. */
  readonly gatewayUrl: string
  readonly brand: Brand
  readonly keys: Readonly<Partial<Record<KeyName, string>>>
  readonly controlUrl?: string | undefined
  /** Where chaos between its parts is asked for: `lab/chaosControl.ts` says how. */
  readonly chaosUrl?: string | undefined
  readonly fixtureHostUrl?: string | undefined
  /** Where WebSockets are opened; `/ws` of the gateway where none is given (decision W1). */
  readonly updatesUrl?: string | undefined
  /** Without `/v1` (section 4.12). */
  readonly explorerUrl?: string | undefined
  /** The network header's value for the gateway's chain; none is sent where it is the default. */
  readonly explorerNetwork?: Network | undefined
  /** How long after it happened something may still be missing in the explorer, seconds. */
  readonly explorerLagSeconds?: number | undefined
  /** Chains that the explorer shows, by name; the gateway's own may be among them. */
  readonly networks?: Readonly<Partial<Record<Network, ExploredNetwork>>> | undefined
  /** The gateway cannot reach this machine, whatever its address looks like. */
  readonly noReceiver?: boolean | undefined
  /** Where the suite receives webhooks when the gateway cannot reach loopback. */
  readonly webhookReceiver?: WebhookReceiverPlace | undefined
  readonly chain?: StackDescription['chain'] | undefined
  readonly accounts?:
    | Readonly<Partial<Record<keyof StackDescription['accounts'], KnownAccount>>>
    | undefined
  readonly operators?: StackDescription['operators'] | undefined
  readonly clients: StackDescription['clients']
  /** What it is declared to have. */
  readonly features?: readonly Feature[] | undefined
  readonly limits?: Limits | undefined
  readonly identity?: Identity | undefined
  /** Our own service: held to its decisions where the specification is silent. */
  readonly reference?: boolean | undefined
  /** Needs that this target cannot have, each with a written reason: not applicable, not untestable. */
  readonly notApplicable: Readonly<Record<string, string>>
}
