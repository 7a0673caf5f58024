import { sha256 } from '@noble/hashes/sha2.js'
import { type Static, Type } from '@sinclair/typebox'
import { Address } from 'polgate-protocol/scalars.ts'
import type { EnvelopeScope } from '../envelopes/binding.ts'
import { encryptionKeyOf } from '../envelopes/encryptionKey.ts'
import { maxEnvelopeBytes, parseEnvelope } from '../envelopes/envelope.ts'
import { keySize, open, seal } from '../envelopes/hpke.ts'
import { framed, type RandomBytes } from './group.ts'
import type { GroupKey } from './groupKey.ts'
import type { KeyShare } from './keyGeneration.ts'
import { openWithThreshold } from './openWithThreshold.ts'
import {
  type Partial,
  type PartialDecryptions,
  partialDecryptions,
  readPartial,
} from './partial.ts'
import { type Identity, placeOf } from './roster.ts'
import { kindOf, readMessage, Signed, signMessage, validatorOf } from './signed.ts'
import { ThresholdError } from './thresholdError.ts'

/** Maximum length of a claim: an intent of a full request, with a margin. */
export const maxClaim = 2 * 1024 * 1024

/** A request to the members for partial decryptions of one envelope, on behalf of one of them. */
export const OpeningRequest = Type.Object({
  opener: Address,
  envelope: Type.String({ maxLength: maxEnvelopeBytes }),
  /** Why the opener may decrypt it: a text that each member verifies (`Approve`). */
  claim: Type.String({ maxLength: maxClaim }),
  /** Signed by the opener: the hashes of envelope and claim, and the key for encrypted answers. */
  statement: Signed,
})
export type OpeningRequest = Static<typeof OpeningRequest>
export const readOpeningRequest = validatorOf(OpeningRequest)

/** A partial decryption that only the opener can read: encapsulated key and ciphertext, hex. */
export const SealedPartial = Type.Object({
  place: Type.Integer({ minimum: 1 }),
  sealed: Type.String({ pattern: '^([0-9a-f]{2}){32,1024}$' }),
})
export type SealedPartial = Static<typeof SealedPartial>

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const statementKind = kindOf(
  'opening',
  Type.Object({ envelope: Hex32, claim: Hex32, replyKey: Hex32 }),
)

const hashOf = (kind: 'envelope' | 'claim', text: string): string =>
  Buffer.from(sha256(framed(`threshold ${kind} 1`, Buffer.from(text)))).toString('hex')

const answerContext = (key: GroupKey, request: OpeningRequest, place: number): Uint8Array =>
  framed(
    'threshold answer 1',
    key.session.digest,
    Uint8Array.of(place),
    Buffer.from(request.statement.body),
  )

/** A decryption in progress, on the side of the member that needs the plaintext. */
export type Opening = {
  /** For every member; a relay can neither change it nor read the answers. */
  readonly request: OpeningRequest
  /**
   * The plaintext, from any `needed` answers; invalid answers do not count.
   *
   * @throws EnvelopeError, ThresholdError as `openWithThreshold`
   */
  open(answers: readonly SealedPartial[], where: Where): Promise<Uint8Array>
}

type Where = EnvelopeScope & {
  /** Called with the members whose answers are invalid, also if there are too few valid ones. */
  readonly onWrong?: ((members: readonly Address[]) => void) | undefined
}

/**
 * Starts the decryption of an envelope, with a temporary key for the answers.
 *
 * @throws EnvelopeError `format`
 */
export async function beginOpening(options: {
  readonly envelope: string
  /** See `OpeningRequest`; default: empty. */
  readonly claim?: string
  readonly key: GroupKey
  readonly identity: Identity
  readonly random: RandomBytes
  readonly decryptions?: PartialDecryptions | undefined
}): Promise<Opening> {
  const { envelope, claim = '', key, identity, random, decryptions } = options
  parseEnvelope(envelope)
  const secret = random(keySize)
  const reply = await encryptionKeyOf(secret)
  secret.fill(0)
  const statement = {
    envelope: hashOf('envelope', envelope),
    claim: hashOf('claim', claim),
    replyKey: reply.publicKey,
  }
  const request: OpeningRequest = {
    opener: identity.address,
    envelope,
    claim,
    statement: signMessage(statementKind, key.session.digest, statement, identity),
  }

  async function unseal({ place, sealed }: SealedPartial): Promise<Partial | undefined> {
    const bytes = Buffer.from(sealed, 'hex')
    try {
      const text = await open({
        recipient: reply,
        enc: bytes.subarray(0, keySize),
        ciphertext: bytes.subarray(keySize),
        aad: answerContext(key, request, place),
      })
      const partial = readPartial(JSON.parse(Buffer.from(text).toString('utf8')))
      return partial.place === place ? partial : undefined
    } catch {
      return undefined
    }
  }

  return {
    request,
    async open(answers, { onWrong = () => {}, ...where }) {
      const { members } = key.session.roster
      const bounded = answers.slice(0, members.length)
      const unsealed = await Promise.all(bounded.map(unseal))
      const unreadable = bounded.flatMap(({ place }, at) =>
        unsealed[at] === undefined ? (members[place - 1]?.address ?? []) : [],
      )
      const partials = unsealed.flatMap((one) => one ?? [])
      return openWithThreshold({
        ...{ envelope, key, partials, decryptions, ...where },
        onWrong: (wrong) => {
          const all = new Set([...unreadable, ...wrong])
          if (all.size > 0) onWrong([...all])
        },
      })
    },
  }
}

/**
 * Whether a member takes part in a decryption; called after the request is verified. May reject with
 * the reason instead.
 */
export type Approve = (
  opening: Pick<OpeningRequest, 'opener' | 'envelope' | 'claim'>,
) => boolean | Promise<boolean>

/**
 * A member's answer to an opening request.
 *
 * @throws ThresholdError `request` if the opener is not a member, the envelope is for another key,
 * or the member does not approve; `dealer` if the opener has not signed it; `point`; EnvelopeError
 * `format`
 */
export async function answerOpening(
  share: KeyShare,
  request: OpeningRequest,
  {
    random,
    approve,
    decryptions: { decrypt } = partialDecryptions,
  }: {
    readonly random: RandomBytes
    readonly approve: Approve
    readonly decryptions?: PartialDecryptions | undefined
  },
): Promise<SealedPartial> {
  const { key, place } = share
  const { roster, digest } = key.session
  const opener = roster.members[placeOf(roster, request.opener) - 1]
  if (opener === undefined)
    throw new ThresholdError('request', `${request.opener} is not in the roster`)
  const said = readMessage(statementKind, digest, request.statement, opener)
  if (said.envelope !== hashOf('envelope', request.envelope))
    throw new ThresholdError('request', 'the request was signed for another envelope')
  if (said.claim !== hashOf('claim', request.claim))
    throw new ThresholdError('request', 'the request was signed for another claim')
  const { enc, recipient_pubkey } = parseEnvelope(request.envelope)
  if (recipient_pubkey.toLowerCase() !== key.publicKey)
    throw new ThresholdError('request', 'envelope was sealed to another key')
  // Not merely truthy: a mistake in a decision must not open anything.
  if ((await approve(request)) !== true)
    throw new ThresholdError(
      'request',
      `${roster.members[place - 1]?.address} does not take part in this opening`,
    )
  const partial = decrypt(share, Buffer.from(enc, 'hex'), random)
  const sealed = await seal({
    recipientPublicKey: Buffer.from(said.replyKey, 'hex'),
    plaintext: Buffer.from(JSON.stringify(partial)),
    aad: answerContext(key, request, place),
  })
  return { place, sealed: Buffer.concat([sealed.enc, sealed.ciphertext]).toString('hex') }
}
