import type { Address } from 'polgate-protocol/scalars.ts'
import type { LocalAccount } from 'viem'
import type { SealedDataQueries } from '../store/sealedData.ts'
import type { SealedDataChain } from './sealedDataChain.ts'

/** What the use cases of this room work with. */
export type SealedDataDeps = {
  readonly store: SealedDataQueries
  readonly chain: SealedDataChain
  /** The gateway's account: whose signatures the identity registry takes. */
  readonly signer: Pick<LocalAccount, 'signTypedData'>
  /**
   * The privacy key, and former ones that are still accepted (decision K11).
   *
   * @throws BackendUnavailable while there is none
   */
  readonly privacyKeys: () => readonly string[]
}

/** Who asks: the key, and the accounts it may speak for, in lower case (section 5.1). */
export type Caller = { readonly keyId: string; readonly owners: readonly Address[] }
