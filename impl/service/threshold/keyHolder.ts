import { type Static, Type } from '@sinclair/typebox'
import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import { Address } from 'polgate-protocol/scalars.ts'
import { base, hexOf, type RandomBytes } from './group.ts'
import { Certificate, openCertificate } from './groupKey.ts'
import type { HolderState } from './holderState.ts'
import { type KeyGeneration, type KeyShare, keyGeneration } from './keyGeneration.ts'
import {
  createKeyLifecycle,
  type KeyLifecycle,
  LifecycleStatus,
  lifecycleStatus,
} from './keyLifecycle.ts'
import {
  type Approve,
  answerOpening,
  beginOpening,
  type Opening,
  type OpeningRequest,
  readOpeningRequest,
  type SealedPartial,
} from './opening.ts'
import type { PartialDecryptions } from './partial.ts'
import { checkRoster, type Identity, maxMembers, placeOf, sessionOf } from './roster.ts'
import { acceptsRoster, type RosterRules } from './rosterRules.ts'
import type { ShareFile } from './shareFile.ts'
import { Signed, validatorOf } from './signed.ts'
import {
  certificateOf,
  readShare,
  type StoredShare,
  sameRoster,
  storedForm,
} from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** `pending`: a run was finished but not completed; its key is not used. */
export const HolderStatus = Type.Object({
  address: Address,
  state: Type.Union([Type.Literal('none'), Type.Literal('pending'), Type.Literal('complete')]),
  session: Type.Union([Hex32, Type.Null()]),
  certificate: Type.Union([Certificate, Type.Null()]),
  ...LifecycleStatus.properties,
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

/** A key holder that also takes part in resharings and recoveries. */
export type KeyMember = KeyHolder & KeyLifecycle

/** The key holder of an operator in this process. */
export type LocalKeyHolder = KeyMember & {
  /**
   * Starts the decryption of an envelope on behalf of this operator.
   *
   * @throws ThresholdError `state` without a share; EnvelopeError `format`
   */
  beginOpening(envelope: string, claim: string): Promise<Opening>
}

/**
 * Rosters are from the operator's own configuration: members and thresholds are never taken from a
 * request.
 */
export type KeyHolderOptions = RosterRules & {
  readonly identity: Identity
  readonly file: ShareFile
  readonly random: RandomBytes
  /**
   * Whether this operator takes part in decrypting an envelope for a member. A member whose
   * requests all others approve could decrypt everything, so the decision must be based on what
   * this operator itself knows about the task.
   */
  readonly approve: Approve
  /** Default: the real ones. */
  readonly decryptions?: PartialDecryptions | undefined
}

/**
 * The key holder in this process. It holds one share permanently, in a file that survives restarts;
 * a new key is rejected while there is one.
 *
 * @throws ThresholdError `state` for an invalid roster, or one without the operator
 */
export function createKeyHolder(options: KeyHolderOptions): LocalKeyHolder {
  const { identity, roster, file, random, approve, decryptions } = options
  const answering = { random, approve, decryptions }
  const place = checkMember(options, identity)
  const queue = createSerialQueue()
  let run: { readonly session: string; readonly steps: KeyGeneration } | undefined
  /** Verified shares, by session: every opening needs one. */
  const held = new Map<string, KeyShare>()

  async function stored(): Promise<StoredShare | undefined> {
    const share = await file.read()
    if (share === undefined) return undefined
    if (share.confirmations === undefined && !sameRoster(share, roster)) return undefined
    if (share.place === placeOf(share, identity.address) && acceptsRoster(options, share))
      return share
    throw new ThresholdError('state', 'the stored share belongs to another roster', {
      hint: 'Restore the operators and the threshold that the key was created with.',
    })
  }

  async function status(): Promise<HolderStatus> {
    const share = await stored()
    const certificate = share === undefined ? null : certificateOf(share)
    const state = certificate !== null ? 'complete' : share === undefined ? 'none' : 'pending'
    return {
      ...{ address: identity.address, state, session: share?.session ?? null, certificate },
      ...lifecycleStatus(await file.state()),
    }
  }

  function verified(kept: StoredShare): KeyShare {
    const known = held.get(kept.session)
    if (known !== undefined && hexOf(known.share) === kept.share) return known
    const share = readShare(kept)
    if (!base.multiply(share.share).equals(share.key.verificationKey(share.place)))
      throw new ThresholdError('state', `the share of ${identity.address} does not match its key`, {
        hint: 'Restore the share file from a backup.',
      })
    held.set(kept.session, share)
    return share
  }

  /** The share in use. */
  async function share(): Promise<KeyShare> {
    const kept = await stored()
    if (kept?.confirmations === undefined)
      throw new ThresholdError('state', `${identity.address} holds no share of a key`)
    return verified(kept)
  }

  /**
   * The shares that this member answers with. During a resharing an opener uses the epoch before or
   * the next one; a request of either is answered.
   */
  async function shares(): Promise<readonly KeyShare[]> {
    const { active, previous, next: following }: HolderState = await file.state()
    const own = active === undefined && following !== undefined ? [] : [await share()]
    const others = [previous, following?.share].flatMap((one) => one ?? [])
    const sessions = new Set([
      ...own.map(({ key }) => key.session.id),
      ...others.map(({ session }) => session),
    ])
    for (const session of held.keys()) if (!sessions.has(session)) held.delete(session)
    return [...own, ...others.map(verified)]
  }

  async function begin(session: string): Promise<KeyGeneration> {
    const { retired, next: following } = await file.state()
    const left = retired !== undefined || following !== undefined
    if (left || (await stored())?.confirmations !== undefined)
      throw new ThresholdError('state', `${identity.address} already holds a share of a key`, {
        hint: 'A key already exists; restart the gateway to use it.',
      })
    if (place === 0)
      throw new ThresholdError('state', `${identity.address} is not in the roster of a new key`)
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
    await file.keep(storedForm(made))
    run = undefined
    return confirmation
  }

  return {
    address: identity.address,
    status,
    ...createKeyLifecycle({ identity, rules: options, file, random, queue }),
    generate: (request) =>
      queue.run(async () => {
        const checked = readGenerationRequest(request) as GenerationRequest
        try {
          return await step(checked)
        } catch (error) {
          if (run?.session === checked.session) run = undefined
          throw error
        }
      }),
    complete: (request) => queue.run(() => complete(request)),
    async open(request) {
      const checked = readOpeningRequest(request)
      const [first, ...others] = await shares()
      if (first === undefined) return answerOpening(await share(), checked, answering)
      let failure: unknown
      for (const one of [first, ...others]) {
        try {
          return await answerOpening(one, checked, answering)
        } catch (error) {
          failure ??= error
          // Not signed for this epoch, or not by a member of its roster.
          if (!(error instanceof ThresholdError) || !/^(dealer|request)$/.test(error.code))
            throw error
        }
      }
      throw failure
    },
    async beginOpening(envelope, claim) {
      const { key } = await share()
      return beginOpening({ envelope, claim, key, identity, random, decryptions })
    },
  }

  async function complete(request: CompletionRequest): Promise<HolderStatus> {
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
  }
}

/** @returns the index in the roster, 0 for a member of the next one only */
function checkMember({ roster, next }: RosterRules, { address, publicKey }: Identity): number {
  for (const one of [roster, ...(next === undefined ? [] : [next])]) checkRoster(one)
  const place = placeOf(roster, address)
  const listed = roster.members[place - 1] ?? next?.members[placeOf(next, address) - 1]
  if (listed?.publicKey !== publicKey)
    throw new ThresholdError('state', `${address} is not in the roster with its key`)
  return place
}
