import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Address } from 'polgate-protocol/scalars.ts'
import { EnvelopeError } from './envelopeError.ts'

/** What an envelope is sealed for: `simulation` is a run of an oracle with secrets of the request (section 4.6). */
export const envelopeUses = [
  'secrets',
  'simulation',
  'identity',
  'confidential',
  'ephemeral',
] as const
export type EnvelopeUse = (typeof envelopeUses)[number]

/** Where an envelope is opened. */
export type EnvelopeScope = {
  readonly policyClient: Address
  readonly chainId: number
  /** Absent: only envelopes of the general form open. */
  readonly use?: EnvelopeUse | undefined
  /** For `secrets` and `simulation`. */
  readonly policyData?: Address | undefined
}

/** What sender and recipient of HPKE have to agree on. */
export type HpkeContext = { readonly info: Uint8Array; readonly aad: Uint8Array }

/** The general form (decision K2): bound to client and chain. */
function generalContext({ policyClient, chainId }: EnvelopeScope): HpkeContext {
  return { info: new Uint8Array(), aad: keccak_256(scopeBytes(policyClient, chainId)) }
}

/** The bound form (decision K18): bound to use and policy data as well. */
function boundContext(use: EnvelopeUse, scope: EnvelopeScope): HpkeContext {
  const { policyClient, chainId, policyData = noPolicyData } = scope
  const source = Buffer.from(policyData.slice(2), 'hex')
  return {
    info: Buffer.from(`sealed envelope 2 ${use}`),
    aad: keccak_256(Buffer.concat([scopeBytes(policyClient, chainId), source])),
  }
}

/**
 * The context of an envelope where it is opened. The member `bound_use` chooses the form; changing, adding or removing
 * it changes both values, so that the envelope does not open.
 *
 * @throws EnvelopeError `open` for an envelope that is sealed for another use
 */
export function contextOf(boundUse: EnvelopeUse | undefined, scope: EnvelopeScope): HpkeContext {
  if (boundUse === undefined) return generalContext(scope)
  if (boundUse !== scope.use)
    throw new EnvelopeError(
      'open',
      `envelope is sealed for use ${boundUse}, and was sent for ${scope.use ?? 'another'}`,
    )
  return boundContext(boundUse, scope)
}

const noPolicyData: Address = `0x${'0'.repeat(40)}`

function scopeBytes(policyClient: Address, chainId: number): Uint8Array {
  const bytes = Buffer.alloc(28)
  bytes.write(policyClient.slice(2), 0, 20, 'hex')
  bytes.writeBigUInt64BE(BigInt(chainId), 20)
  return bytes
}
