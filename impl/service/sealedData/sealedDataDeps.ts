import type { Address } from 'polgate-protocol/scalars.ts'
import type { LocalAccount } from 'viem'
import type { FingerprintQueries } from '../store/envelopeFingerprints.ts'
import type { SealedDataQueries } from '../store/sealedData.ts'
import type { SealedDataChain } from './sealedDataChain.ts'

/** The dependencies of sealed data. */
export type SealedDataDeps = {
  readonly store: SealedDataQueries
  readonly fingerprints: Pick<FingerprintQueries, 'recordSubmitted'>
  readonly chain: SealedDataChain
  /** The gateway's account, whose signatures the identity registry accepts. */
  readonly signer: Pick<LocalAccount, 'signTypedData'>
  /**
   * The privacy key, and former ones that are still accepted (decision K11).
   *
   * @throws BackendUnavailable while there is none
   */
  readonly privacyKeys: () => readonly string[]
}

/** The caller: its key, and the accounts that it may act for, in lower case (section 5.1). */
export type Caller = {
  readonly keyId: string
  readonly owners: readonly Address[]
  /** Absent without an API key. */
  readonly rotatedAt?: Date | null | undefined
}
