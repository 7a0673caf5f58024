/** What Studio shows, and how its server reaches it. */
export type StudioTarget = {
  /** Shown in the title: `local stack`, or the name of a gateway. */
  readonly name: string
  /** Without a path. */
  readonly gatewayUrl: string
  readonly explorerUrl?: string | undefined
  /** JSON-RPC of the chain's node. */
  readonly rpcUrl?: string | undefined
  /** Control API; only of a local stack that may be changed. */
  readonly controlUrl?: string | undefined
  /** Admin listener, for its readiness. */
  readonly adminUrl?: string | undefined
  readonly chainId?: number | undefined
  readonly brand: {
    readonly methodPrefix: string
    readonly topicPrefix: string
    readonly networkHeader: string
    readonly signatureHeader: string
    /** Of the extensions that policies call. */
    readonly regoNamespace: string
  }
  readonly contracts: Readonly<Record<string, string>>
  /** API keys by name. They never leave the server. */
  readonly keys: Readonly<Record<string, string>>
  /** The key of requests that name none. */
  readonly defaultKey: string
}

/** What the page is told of its target. */
export type StudioDescription = Pick<
  StudioTarget,
  'name' | 'gatewayUrl' | 'chainId' | 'brand' | 'contracts' | 'defaultKey'
> & {
  /** Only reads are possible. */
  readonly readOnly: boolean
  readonly keyNames: readonly string[]
  readonly has: {
    readonly explorer: boolean
    readonly chain: boolean
    readonly control: boolean
    readonly admin: boolean
  }
}

export function describeTarget(target: StudioTarget): StudioDescription {
  const { name, gatewayUrl, chainId, brand, contracts, defaultKey } = target
  return {
    ...{ name, gatewayUrl, brand, contracts, defaultKey },
    ...(chainId === undefined ? {} : { chainId }),
    readOnly: target.controlUrl === undefined,
    keyNames: Object.keys(target.keys),
    has: {
      explorer: target.explorerUrl !== undefined,
      chain: target.rpcUrl !== undefined,
      control: target.controlUrl !== undefined,
      admin: target.adminUrl !== undefined,
    },
  }
}
