import { type Static, Type } from '@sinclair/typebox'
import type { SerialQueue } from 'polgate-lib/async/serialQueue.ts'
import type { RandomBytes } from './group.ts'
import { Certificate } from './groupKey.ts'
import {
  abandon,
  abandoned,
  activate,
  activated,
  checkNext,
  finalize,
  type HolderState,
  keepNext,
  revert,
  Statements,
} from './holderState.ts'
import type { KeyShare } from './keyGeneration.ts'
import {
  RecoveryPlan,
  type RecoveryRun,
  readRecoveryPlan,
  recovered,
  recoveryRun,
} from './recovery.ts'
import { ResharePlan, readPlan } from './resharePlan.ts'
import { type Resharing, resharing } from './resharing.ts'
import { type Identity, maxMembers, placeOf, sessionOf } from './roster.ts'
import { acceptsRoster, acceptsTarget, type RosterRules } from './rosterRules.ts'
import type { ShareFile } from './shareFile.ts'
import { Signed, signMessage, validatorOf } from './signed.ts'
import { RosterRecord, readShare, storedForm } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Messages = Type.Array(Signed, { maxItems: maxMembers + 1 })

/** One step of a resharing; which messages it takes is documented at `Resharing`. */
export const ReshareRequest = Type.Object({
  plan: ResharePlan,
  step: Type.Union(
    (['transport', 'deal', 'check', 'answer', 'finish'] as const).map((step) => Type.Literal(step)),
  ),
  messages: Messages,
  /** Of the step before the last. */
  earlier: Messages,
})
export type ReshareRequest = Static<typeof ReshareRequest>

/** A transition of what the member stores, see `holderState`. All of them can be repeated. */
export const SettleRequest = Type.Union([
  Type.Object({
    action: Type.Literal('activate'),
    session: Hex32,
    confirmations: Messages,
  }),
  Type.Object({ action: Type.Literal('abandon'), session: Hex32, roster: RosterRecord }),
  Type.Object({
    action: Type.Literal('finalize'),
    certificate: Certificate,
    roster: RosterRecord,
    statements: Statements,
  }),
  Type.Object({ action: Type.Literal('revert'), session: Hex32, statements: Statements }),
])
export type SettleRequest = Static<typeof SettleRequest>

/** One step of a recovery; which messages it takes is documented at `RecoveryRun`. */
export const RecoverRequest = Type.Object({
  plan: RecoveryPlan,
  step: Type.Union(
    (['transport', 'split', 'sum', 'restore'] as const).map((step) => Type.Literal(step)),
  ),
  messages: Messages,
  earlier: Messages,
})
export type RecoverRequest = Static<typeof RecoverRequest>

/** The statement of `activate` and `abandon`, null for the other transitions. */
export const Settled = Type.Object({ signed: Type.Union([Signed, Type.Null()]) })
export type Settled = Static<typeof Settled>

const readReshareRequest = validatorOf(ReshareRequest)
const readSettleRequest = validatorOf(SettleRequest)
const readRecoverRequest = validatorOf(RecoverRequest)

/** What a member does for the lifecycle of the key; errors are those of `KeyHolder`. */
export type KeyLifecycle = {
  reshare(request: ReshareRequest, signal: AbortSignal): Promise<Signed>
  settle(request: SettleRequest, signal: AbortSignal): Promise<Settled>
  recover(request: RecoverRequest, signal: AbortSignal): Promise<Signed>
}

export type KeyLifecycleOptions = {
  readonly identity: Identity
  readonly rules: RosterRules
  readonly file: ShareFile
  readonly random: RandomBytes
  /** Shared with everything else that writes the file. */
  readonly queue: SerialQueue
}

/** The lifecycle on the side of one member. A crash loses only what is in memory: the run. */
export function createKeyLifecycle(options: KeyLifecycleOptions): KeyLifecycle {
  const { identity, rules, file, random, queue } = options
  let run: { readonly session: string; readonly steps: Resharing } | undefined
  let recovery: { readonly id: string; readonly steps: RecoveryRun } | undefined

  const refuse = (message: string, hint?: string): never => {
    throw new ThresholdError('state', `${identity.address}: ${message}`, { hint })
  }
  const configure = 'Set the roster in the configuration of every operator first.'

  /** The share in use, if it is that of a session and final. */
  function shareOf({ active, provisional }: HolderState, session: string): KeyShare {
    if (active?.session !== session) return refuse('holds no share of this epoch')
    if (provisional) return refuse('the epoch in use is not final yet')
    return readShare(active)
  }

  async function begin({ plan }: ReshareRequest): Promise<Resharing> {
    if (!acceptsRoster(rules, plan.from)) refuse('the key belongs to another roster', configure)
    if (!acceptsTarget(rules, plan.from, plan.to))
      refuse('the next roster is not configured', configure)
    const reshare = readPlan(plan)
    const state = await file.state()
    const receiver = placeOf(plan.to, identity.address)
    const dealer = placeOf(reshare.dealers, identity.address)
    if (receiver === 0 && dealer === 0) refuse('takes no part in this resharing')
    for (const { members } of [plan.from, plan.to]) {
      const listed = members[placeOf({ needed: 0, members }, identity.address) - 1]
      if (listed !== undefined && listed.publicKey !== identity.publicKey)
        refuse('is in the roster with another key')
    }
    if (state.abandoned.includes(plan.session)) refuse('this resharing was abandoned')
    const share = dealer === 0 ? undefined : shareOf(state, plan.certificate.session)
    const steps = resharing({ reshare, identity, share, dealer, receiver, random })
    run = { session: plan.session, steps }
    return steps
  }

  async function reshareStep(request: ReshareRequest): Promise<Signed> {
    const { plan, step, messages, earlier } = request
    const known = run?.session === plan.session ? run.steps : undefined
    // A dealer that leaves has no earlier step.
    const first = step === 'transport' || (step === 'deal' && known === undefined)
    const steps = first ? await begin(request) : known
    if (steps === undefined)
      throw new ThresholdError('run', 'this resharing is not in progress', {
        hint: 'Start a new one.',
      })
    if (step === 'transport') return steps.transport()
    if (step === 'deal') return steps.deal(messages)
    if (step === 'check') return steps.check(messages, earlier)
    if (step === 'answer') return steps.answer(messages)
    const { share, confirmation } = steps.finish(messages, earlier)
    const state = await file.state()
    checkNext(state, storedForm(share))
    // Before any member can activate it, so that a confirmed share is never lost.
    await file.replace(keepNext(state, storedForm(share), confirmation))
    run = undefined
    return confirmation
  }

  async function settle(request: SettleRequest): Promise<Settled> {
    const state = await file.state()
    const keep = async (next: HolderState) => {
      if (next !== state) await file.replace(next)
    }
    if (request.action === 'activate') {
      const { session } = request
      const next = activate(state, session, request.confirmations)
      await keep(next)
      const { digest } = readShare(next.active as NonNullable<HolderState['active']>).key.session
      return { signed: signMessage(activated, digest, { session }, identity) }
    }
    if (request.action === 'abandon') {
      const { session, roster } = request
      await keep(abandon(state, session))
      if (run?.session === session) run = undefined
      const { digest } = sessionOf(session, roster)
      return { signed: signMessage(abandoned, digest, { session }, identity) }
    }
    if (request.action === 'revert') {
      await keep(revert(state, request.session, request.statements))
    } else {
      const { certificate, roster: to, statements } = request
      if (!acceptsRoster(rules, to)) refuse('the next roster is not configured', configure)
      await keep(finalize(state, { certificate, to, statements }, identity))
    }
    return { signed: null }
  }

  async function beginRecovery({ plan }: RecoverRequest): Promise<RecoveryRun> {
    if (!acceptsRoster(rules, plan.roster)) refuse('the key belongs to another roster', configure)
    const checked = readRecoveryPlan(plan)
    const place = placeOf(plan.roster, identity.address)
    if (plan.roster.members[place - 1]?.publicKey !== identity.publicKey)
      refuse('is not in the roster with its key')
    const state = await file.state()
    if (place === plan.lost) checkLost(state, checked.key.epoch, checked.key.publicKey)
    else if (!plan.helpers.includes(place)) refuse('takes no part in this recovery')
    const share = place === plan.lost ? undefined : shareOf(state, plan.certificate.session)
    const steps = recoveryRun({ recovery: checked, identity, share, random })
    recovery = { id: plan.id, steps }
    return steps
  }

  /** A share that is in use is not replaced, except by one of a later epoch of the same key. */
  function checkLost({ active, retired }: HolderState, epoch: number, publicKey: string): void {
    if (retired !== undefined && retired.epoch >= epoch) refuse('has left the roster')
    if (active === undefined) return
    if ((active.epoch ?? 1) >= epoch) refuse('already holds a share of this epoch or a later one')
    if (readShare(active).key.publicKey !== publicKey) refuse('holds a share of another key')
  }

  async function recoverStep(request: RecoverRequest): Promise<Signed> {
    const { plan, step, messages, earlier } = request
    if (step === 'transport') return (await beginRecovery(request)).transport()
    if (recovery?.id !== plan.id)
      throw new ThresholdError('run', 'this recovery is not in progress', {
        hint: 'Start a new one.',
      })
    const { steps } = recovery
    if (step === 'split') return steps.split(messages)
    if (step === 'sum') return steps.sum(messages)
    const share = await steps.restore(messages, earlier)
    const { confirmations } = plan.certificate
    const state = await file.state()
    checkLost(state, share.key.epoch, share.key.publicKey)
    const { provisional: _, previous: __, retired: ___, ...rest } = state
    await file.replace({ ...rest, active: { ...storedForm(share), confirmations } })
    recovery = undefined
    const { session } = plan.certificate
    return signMessage(recovered, share.key.session.digest, { session }, identity)
  }

  return {
    reshare: (request) =>
      queue.run(async () => {
        const checked = readReshareRequest(request)
        try {
          return await reshareStep(checked)
        } catch (error) {
          if (run?.session === checked.plan.session) run = undefined
          throw error
        }
      }),
    settle: (request) => queue.run(() => settle(readSettleRequest(request))),
    recover: (request) =>
      queue.run(async () => {
        const checked = readRecoverRequest(request)
        try {
          return await recoverStep(checked)
        } catch (error) {
          if (recovery?.id === checked.plan.id) recovery = undefined
          throw error
        }
      }),
  }
}

/** What a status says about the progress of a resharing. */
export const LifecycleStatus = Type.Object({
  /** Of the certificate. */
  roster: Type.Union([RosterRecord, Type.Null()]),
  epoch: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** Whether the epoch in use can no longer be reverted. */
  final: Type.Boolean(),
  /** A share that waits for the confirmations of the others. */
  next: Type.Union([
    Type.Object({
      session: Hex32,
      roster: RosterRecord,
      commitments: Type.Array(Hex32, { maxItems: maxMembers }),
      confirmation: Signed,
    }),
    Type.Null(),
  ]),
  /** Whether the member has left the roster of the key. */
  retired: Type.Boolean(),
})
export type LifecycleStatus = Static<typeof LifecycleStatus>

export function lifecycleStatus(state: HolderState): LifecycleStatus {
  const { active, provisional, next, retired } = state
  const record = ({ needed, members }: NonNullable<HolderState['active']>) => ({ needed, members })
  return {
    roster: active === undefined ? null : record(active),
    epoch: active === undefined ? null : (active.epoch ?? 1),
    final: active !== undefined && provisional !== true,
    next:
      next === undefined
        ? null
        : {
            session: next.share.session,
            roster: record(next.share),
            commitments: next.share.commitments,
            confirmation: next.confirmation,
          },
    retired: retired !== undefined,
  }
}
