import { type Static, Type } from '@sinclair/typebox'
import { Address } from 'polgate-protocol/scalars.ts'
import { base, hexOf, type RandomBytes, scalarOf } from './group.ts'
import { Certificate, openCertificate } from './groupKey.ts'
import { type KeyGeneration, type KeyShare, keyGeneration } from './keyGeneration.ts'
import {
  type Approve,
  answerOpening,
  beginOpening,
  type Opening,
  type OpeningRequest,
  readOpeningRequest,
  type SealedPartial,
} from './opening.ts'
import {
  checkRoster,
  type Identity,
  maxMembers,
  placeOf,
  type Roster,
  sessionOf,
} from './roster.ts'
import type { ShareFile, StoredShare } from './shareFile.ts'
import { Signed, validatorOf } from './signed.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** `pending`: a run was finished but not completed; its key is not used. */
export const HolderStatus = Type.Object({
  address: Address,
  state: Type.Union([Type.Literal('none'), Type.Literal('pending'), Type.Literal('complete')]),
  session: Type.Union([Hex32, Type.Null()]),
  certificate: Type.Union([Certificate, Type.Null()]),
})
export type HolderStatus = Static<typeof HolderStatus>

/** Steps of the key generation in order; a member sends one signed message in each. */
export const generationSteps = ['commit', 'offer', 'deal', 'check', 'answer', 'finish'] as const
export type GenerationStep = (typeof generationSteps)[number]

/** One step: the messages of all members in the previous step, in the order of the roster. */
export const GenerationRequest = Type.Object({
  session: Hex32,
  step: Type.Union(generationSteps.map((step) => Type.Literal(step))),
  messages: Type.Array(Signed, { maxItems: maxMembers }),
})
export type GenerationRequest = {
  readonly session: string
  readonly step: GenerationStep
  readonly messages: readonly Signed[]
}
const readGenerationRequest = validatorOf(GenerationRequest)

export const CompletionRequest = Type.Object({
  session: Hex32,
  confirmations: Type.Array(Signed, { maxItems: maxMembers }),
})
export type CompletionRequest = {
  readonly session: string
  readonly confirmations: readonly Signed[]
}
const readCompletionRequest = validatorOf(CompletionRequest)

/**
 * An operator that holds a share, in this process or a separate one. Calls reject with
 * `ThresholdError`, or with an error for an unreachable operator.
 */
export type KeyHolder = {
  readonly address: Address
  status(signal: AbortSignal): Promise<HolderStatus>
  generate(request: GenerationRequest, signal: AbortSignal): Promise<Signed>
  complete(request: CompletionRequest, signal: AbortSignal): Promise<HolderStatus>
  open(request: OpeningRequest, signal: AbortSignal): Promise<SealedPartial>
}

/** The key holder of an operator in this process. */
export type LocalKeyHolder = KeyHolder & {
  /**
   * Starts the decryption of an envelope on behalf of this operator.
   *
   * @throws ThresholdError `state` without a share; EnvelopeError `format`
   */
  beginOpening(envelope: string, claim: string): Promise<Opening>
}

export type KeyHolderOptions = {
  readonly identity: Identity
  /**
   * From the operator's own configuration: members and threshold are never taken from a request.
   */
  readonly roster: Roster
  readonly file: ShareFile
  readonly random: RandomBytes
  /**
   * Whether this operator takes part in decrypting an envelope for a member. A member whose
   * requests all others approve could decrypt everything, so the decision must be based on what
   * this operator itself knows about the task.
   */
  readonly approve: Approve
}

/**
 * The key holder in this process. It holds one share permanently, in a file that survives restarts;
 * a new key is rejected while there is one.
 *
 * @throws ThresholdError `state` for an invalid roster, or one without the operator
 */
export function createKeyHolder(options: KeyHolderOptions): LocalKeyHolder {
  const { identity, roster, file, random, approve } = options
  checkRoster(roster)
  const place = placeOf(roster, identity.address)
  if (roster.members[place - 1]?.publicKey !== identity.publicKey)
    throw new ThresholdError('state', `${identity.address} is not in the roster with its key`)
  let run: { readonly session: string; readonly steps: KeyGeneration } | undefined
  let held: KeyShare | undefined

  async function stored(): Promise<StoredShare | undefined> {
    const share = await file.read()
    if (share === undefined) return undefined
    const same =
      share.place === place && Buffer.from(digestOfRoster(share)).equals(digestOfRoster(roster))
    if (same) return share
    if (share.confirmations === undefined) return undefined
    throw new ThresholdError('state', 'the stored share belongs to another roster', {
      hint: 'Restore the operators and the threshold that the key was created with.',
    })
  }

  const certificateOf = ({ session, commitments, confirmations }: StoredShare) =>
    confirmations === undefined ? null : { session, commitments, confirmations }

  async function status(): Promise<HolderStatus> {
    const share = await stored()
    const certificate = share === undefined ? null : certificateOf(share)
    const state = certificate !== null ? 'complete' : share === undefined ? 'none' : 'pending'
    return { address: identity.address, state, session: share?.session ?? null, certificate }
  }

  /** The completed share; read and verified once. */
  async function share(): Promise<KeyShare> {
    if (held !== undefined) return held
    const kept = await stored()
    const certificate = kept === undefined ? null : certificateOf(kept)
    if (kept === undefined || certificate === null)
      throw new ThresholdError('state', `${identity.address} holds no share of a key`)
    const key = openCertificate(certificate, roster)
    const own = scalarOf(kept.share)
    if (!base.multiply(own).equals(key.verificationKey(place)))
      throw new ThresholdError('state', `the share of ${identity.address} does not match its key`, {
        hint: 'Restore the share file from a backup.',
      })
    held = { place, share: own, key, commitments: kept.commitments }
    return held
  }

  async function begin(session: string): Promise<KeyGeneration> {
    if ((await stored())?.confirmations !== undefined)
      throw new ThresholdError('state', `${identity.address} already holds a share of a key`, {
        hint: 'A key already exists; restart the gateway to use it.',
      })
    const steps = keyGeneration({ session: sessionOf(session, roster), identity, place, random })
    run = { session, steps }
    return steps
  }

  async function step(request: GenerationRequest): Promise<Signed> {
    const { session, step: name, messages } = request
    if (name === 'commit') return (await begin(session)).commit()
    if (run?.session !== session)
      throw new ThresholdError('run', 'this key generation is not in progress', {
        hint: 'Start a new one.',
      })
    if (name !== 'finish') return run.steps[name](messages)
    const { share: made, confirmation } = run.steps.finish(messages)
    // Before any member can complete the run, so that no member loses its share in between.
    await file.keep({ ...storedForm(made, roster), session })
    run = undefined
    return confirmation
  }

  return {
    address: identity.address,
    status,
    async generate(request) {
      const checked = readGenerationRequest(request) as GenerationRequest
      try {
        return await step(checked)
      } catch (error) {
        if (run?.session === checked.session) run = undefined
        throw error
      }
    },
    async complete(request) {
      const { session, confirmations } = readCompletionRequest(request)
      const kept = await stored()
      if (kept?.session !== session)
        throw new ThresholdError('state', `${identity.address} holds no share of this key`)
      const full = { ...kept, confirmations: kept.confirmations ?? confirmations }
      openCertificate(
        { session, commitments: kept.commitments, confirmations: full.confirmations },
        roster,
      )
      await file.complete(full)
      return status()
    },
    async open(request) {
      const checked = readOpeningRequest(request)
      return answerOpening(await share(), checked, { random, approve })
    },
    async beginOpening(envelope, claim) {
      const { key } = await share()
      return beginOpening({ envelope, claim, key, identity, random })
    },
  }
}

const storedForm = ({ place, share, commitments }: KeyShare, roster: Roster) => ({
  version: 1 as const,
  needed: roster.needed,
  members: roster.members.map(({ address, publicKey }) => ({ address, publicKey })),
  place,
  share: hexOf(share),
  commitments: [...commitments],
})

const digestOfRoster = ({ needed, members }: Roster): Uint8Array =>
  sessionOf('', { needed, members }).digest
