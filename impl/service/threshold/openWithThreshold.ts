import type { Address } from 'polgate-protocol/scalars.ts'
import { contextOf, type EnvelopeScope } from '../envelopes/binding.ts'
import { parseEnvelope } from '../envelopes/envelope.ts'
import { openWithSharedSecret } from '../envelopes/hpke.ts'
import { encapsulatedPoint } from './encapsulatedPoint.ts'
import { montgomeryOf, type Point, sumOfProducts } from './group.ts'
import type { GroupKey } from './groupKey.ts'
import { type Partial, type PartialDecryptions, partialDecryptions } from './partial.ts'
import { lagrangeAtZero } from './polynomial.ts'
import { ThresholdError } from './thresholdError.ts'

/** Where it will be used; an envelope for another client, chain or use cannot be decrypted. */
export type OpenWithThreshold = EnvelopeScope & {
  readonly envelope: string
  readonly key: GroupKey
  /** From any members; invalid ones and duplicates do not count. */
  readonly partials: readonly Partial[]
  /** Called with the members whose partial is invalid, also if there are too few valid ones. */
  readonly onWrong?: ((members: readonly Address[]) => void) | undefined
  /** Default: those with verified proofs. */
  readonly decryptions?: PartialDecryptions | undefined
}

export type Combined = {
  /** The X25519 shared secret of the sender. */
  readonly dh: Uint8Array
  /** Addresses of members whose partial decryption is invalid. */
  readonly wrong: readonly Address[]
}

/**
 * The shared secret of an encapsulated key, from any `needed` proven partial decryptions.
 *
 * @throws ThresholdError `shortage`, with the members whose partial is invalid; `point`
 */
export function combinePartials(
  key: GroupKey,
  enc: Uint8Array,
  partials: readonly Partial[],
  {
    onWrong = () => {},
    decryptions: { provenPoint } = partialDecryptions,
  }: Pick<OpenWithThreshold, 'onWrong' | 'decryptions'> = {},
): Combined {
  encapsulatedPoint(enc)
  const { needed, members } = key.session.roster
  const proven = new Map<number, Point>()
  const wrong = new Set<Address>()
  for (const partial of partials) {
    if (proven.size === needed) break
    if (proven.has(partial.place)) continue
    const point = provenPoint(key, enc, partial)
    const member = members[partial.place - 1]
    if (point !== undefined) proven.set(partial.place, point)
    else if (member !== undefined) wrong.add(member.address)
  }
  onWrong([...wrong])
  if (proven.size < needed) {
    const blame = wrong.size === 0 ? '' : `; wrong from ${[...wrong].join(', ')}`
    throw new ThresholdError(
      'shortage',
      `${proven.size} of ${needed} needed partial decryptions are valid${blame}`,
      { hint: 'Start the operators that are down, or query more of them.' },
    )
  }
  const places = [...proven.keys()]
  const coefficients = places.map((place) => lagrangeAtZero(place, places))
  const sum = sumOfProducts([...proven.values()], coefficients)
  return { dh: montgomeryOf(sum), wrong: [...wrong] }
}

/**
 * Decrypts an envelope that was sealed to a shared key (section 4.10). The sender has sealed it as
 * to any X25519 key (decision K2); neither a member's share nor the group's secret key is
 * reconstructed.
 *
 * @throws EnvelopeError `format` for an invalid envelope; ThresholdError `open`, `point`,
 * `shortage`
 */
export async function openWithThreshold(options: OpenWithThreshold): Promise<Uint8Array> {
  const { envelope, key, partials } = options
  const { enc: encHex, ciphertext, recipient_pubkey, bound_use } = parseEnvelope(envelope)
  if (recipient_pubkey.toLowerCase() !== key.publicKey)
    throw new ThresholdError('open', 'envelope was sealed to another key')
  const context = contextOf(bound_use, options)
  const enc = Buffer.from(encHex, 'hex')
  const { dh } = combinePartials(key, enc, partials, options)
  try {
    return await openWithSharedSecret({
      dh,
      enc,
      recipientPublicKey: Buffer.from(key.publicKey, 'hex'),
      ciphertext: Buffer.from(ciphertext, 'hex'),
      ...context,
    })
  } catch (cause) {
    throw new ThresholdError(
      'open',
      'envelope does not open with the group key, policy client and chain',
      { cause },
    )
  } finally {
    dh.fill(0)
  }
}
