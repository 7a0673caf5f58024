import { checks } from 'polgate-conformance/checks/catalogue.ts'
import type { CheckFinished } from 'polgate-conformance/core/events.ts'
import { derivedSeed } from 'polgate-conformance/core/seed.ts'
import { requestsOf, type TrialScope } from 'polgate-conformance/proof/asked.ts'
import type { Trial } from 'polgate-conformance/proof/trial.ts'
import { expectationOf } from 'polgate-conformance/reference/catalogue.ts'
import { runChecks } from 'polgate-conformance/runner/runChecks.ts'
import { createSession } from 'polgate-conformance/runner/session.ts'
import { probeCapabilities } from 'polgate-conformance/targets/capabilities.ts'
import { freshFetch } from 'polgate-conformance/wire/freshFetch.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { localTarget } from '../local/localTarget.ts'
import type { Mutant } from './mutant.ts'
import { type TryOptions, trialOf, trialTarget } from './tryMutant.ts'

type Doors = Pick<
  ServiceParts,
  'wrapGatewayFetch' | 'wrapExplorerFetch' | 'updateServer' | 'webhooks'
>

/**
 * Whether the fault is in a listener only, and its checks do not change the stack for others: then
 * it needs no dedicated stack. For a fault on the wire that is the case with any checks: one that is
 * killed is confirmed by `stillFailing`.
 */
export function fitsSharedStack(mutant: Mutant, asking: TrialScope): boolean {
  const { parts, clauses, onWire } = mutant
  if (onWire) return true
  if (parts === undefined) return false
  const names = Object.keys(parts(() => undefined))
  return (
    names.every((name) => name === 'wrapGatewayFetch' || name === 'wrapExplorerFetch') &&
    !requestsOf(clauses, asking).some(({ exclusive }) => exclusive)
  )
}

/** One started service whose listeners take one fault after the other. */
export type SharedStack = {
  readonly tryMutant: (mutant: Mutant, options: TryOptions) => Promise<Trial>
  /**
   * Runs every check that detected a fault here once more without one: those that still fail are
   * caused by earlier state of the stack, so their detections are unreliable.
   */
  readonly stillFailing: (options: TryOptions) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** Parts that ask for the fault when a socket opens, and when notifications are claimed. */
const lateSocketsAndClaims = (
  current: () => Doors,
): Required<Pick<Doors, 'updateServer' | 'webhooks'>> => ({
  updateServer: (deps) => ({
    ...deps,
    socket: (socket) => {
      const { updateServer } = current()
      return (updateServer?.(deps) ?? deps).socket?.(socket) ?? socket
    },
  }),
  webhooks: (options) => ({
    ...options,
    store: {
      ...options.store,
      notifications: {
        ...options.store.notifications,
        claim: (claimed) => {
          const { webhooks } = current()
          return (webhooks?.(options) ?? options).store.notifications.claim(claimed)
        },
      },
    },
  }),
})

/** Starts it. Rejects on failure. */
export async function startSharedStack(
  options: Pick<TryOptions, 'reference'> = {},
): Promise<SharedStack> {
  let wrappedListeners: Doors = {}
  const through = (
    name: 'wrapGatewayFetch' | 'wrapExplorerFetch',
  ): NonNullable<Doors['wrapGatewayFetch']> => {
    return (fetch) => {
      let made: { readonly from: Doors; readonly fetch: typeof fetch } | undefined
      return (request) => {
        // A fault is created once, since it may keep state.
        if (made?.from !== wrappedListeners)
          made = { from: wrappedListeners, fetch: wrappedListeners[name]?.(fetch) ?? fetch }
        return made.fetch(request)
      }
    }
  }
  const parts = {
    wrapGatewayFetch: through('wrapGatewayFetch'),
    wrapExplorerFetch: through('wrapExplorerFetch'),
    ...lateSocketsAndClaims(() => wrappedListeners),
  }
  const booted = await localTarget({ parts })
  const target = await trialTarget(booted, options)
  const { missing, blockMs } = await probeCapabilities(checks, target, freshFetch)
  const caught = new Set<string>()
  const session = (seed: string) =>
    createSession({ target, seed, effort: 1, missing, blockMs, expectationOf })
  return {
    tryMutant: async (mutant, options) => {
      const trial = await trialOf(mutant, options, async (markFired) => {
        wrappedListeners = mutant.parts?.(markFired) ?? {}
        return session(ownSeed(options.seed, mutant.id))
      })
      wrappedListeners = {}
      for (const { id } of trial.failed) caught.add(id)
      return trial
    },
    stillFailing: async ({ seed, concurrency = 4 }) => {
      const again = checks.filter(({ id }) => caught.has(id))
      const results = await runChecks(again, session(ownSeed(seed, 'without a fault')), {
        concurrency,
      })
      return results.filter(failed).map(({ id }) => id)
    },
    close: () => booted.close(),
  }
}

const failed = ({ verdict }: CheckFinished) => verdict === 'failed'

/** A seed unique among the trials on the stack. */
const ownSeed = (seed: string, name: string): string =>
  `0x${(derivedSeed(seed, name) >>> 0).toString(16).padStart(8, '0')}`
