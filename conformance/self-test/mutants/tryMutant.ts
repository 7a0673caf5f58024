import { checks } from 'polgate-conformance/checks/catalogue.ts'
import type { CheckFinished } from 'polgate-conformance/core/events.ts'
import type { Target } from 'polgate-conformance/core/target.ts'
import { askedAmong, type TrialScope } from 'polgate-conformance/proof/asked.ts'
import type { Finding, Trial } from 'polgate-conformance/proof/trial.ts'
import { expectationOf } from 'polgate-conformance/reference/catalogue.ts'
import { runChecks } from 'polgate-conformance/runner/runChecks.ts'
import { createSession, type Session } from 'polgate-conformance/runner/session.ts'
import { probeCapabilities } from 'polgate-conformance/targets/capabilities.ts'
import { freshFetch } from 'polgate-conformance/wire/freshFetch.ts'
import { type LocalTarget, localTarget } from '../local/localTarget.ts'
import { thirdPartyTarget } from '../local/thirdPartyTarget.ts'
import type { MarkFired, Mutant } from './mutant.ts'

export type TryOptions = {
  readonly seed: string
  readonly asking: TrialScope
  readonly concurrency?: number
  /** As the reference implementation, held to its decisions; else as a third party's gateway. */
  readonly reference?: boolean
}

/** The target of trials on this stack. */
export const trialTarget = async (
  { target, description }: LocalTarget,
  { reference = false }: Pick<TryOptions, 'reference'>,
): Promise<Target> => (reference ? target : await thirdPartyTarget(description))

/** A check that failed because of its clauses. */
const refutes = ({ verdict, twin }: CheckFinished): boolean =>
  verdict === 'failed' && twin?.accepted !== false

function findingOf(result: CheckFinished): Finding {
  const { id, clauses, level, reason, expected, observed, counterexample, curl } = result
  return {
    id,
    clauses,
    level,
    ...(reason === undefined ? {} : { reason }),
    ...(expected === undefined ? {} : { expected }),
    ...(observed === undefined ? {} : { observed }),
    ...(counterexample === undefined ? {} : { counterexample }),
    ...(curl === undefined ? {} : { curl }),
    ...(result.twin?.accepted === false ? { twinRefused: true as const } : {}),
  }
}

/** One trial: `open` applies the fault and returns the session. Never rejects. */
export async function trialOf(
  mutant: Mutant,
  options: TryOptions,
  open: (markFired: MarkFired) => Promise<Session>,
): Promise<Trial> {
  const began = performance.now()
  let fired = 0
  const end = (trial: Omit<Trial, 'id' | 'ms'>): Trial => ({
    id: mutant.id,
    ...trial,
    ms: Math.round(performance.now() - began),
  })
  try {
    const session = await open(() => {
      fired++
    })
    const unproven = new Set(mutant.clauses)
    const before = askedAmong(checks, mutant.before ?? [], 'first')
    const cited = askedAmong(checks, mutant.clauses, options.asking)
    const results = await runChecks([...new Set([...before, ...cited])], session, {
      // Checks in progress are waited for: one at a time where the first failure is the end.
      concurrency: options.concurrency ?? (mutant.proof === 'any' ? 1 : 4),
      onResult: (result) => {
        if (!refutes(result)) return
        if (mutant.proof === 'any') unproven.clear()
        for (const clause of result.clauses) unproven.delete(clause)
      },
      enough: () => options.asking === 'first' && unproven.size === 0,
    })
    const failed = results.filter(({ verdict }) => verdict === 'failed').map(findingOf)
    const overload =
      unproven.size === 0
        ? undefined
        : results.find((each) => each.overload !== undefined)?.overload
    const common = {
      unproven: [...unproven],
      failed,
      asked: results.length,
      ...(overload === undefined ? {} : { overload }),
    }
    if (!results.some(({ verdict }) => verdict === 'failed' || verdict === 'passed')) {
      const reason = results.find((each) => each.reason !== undefined)?.reason
      const because = reason === undefined ? '' : `: ${reason}`
      return end({ ...common, verdict: 'broken', reason: `no check could run${because}` })
    }
    if (fired === 0) return end({ ...common, verdict: 'void', reason: 'the fault took no effect' })
    return end({ ...common, verdict: unproven.size === 0 ? 'killed' : 'survived' })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return end({ verdict: 'broken', unproven: mutant.clauses, failed: [], asked: 0, reason })
  }
}

/** Starts one mutant and runs the checks that cite its clauses. Never rejects. */
export async function tryMutant(mutant: Mutant, options: TryOptions): Promise<Trial> {
  const closers: (() => Promise<void>)[] = []
  try {
    return await trialOf(mutant, options, async (markFired) => {
      const { parts, config, threshold, around } = mutant
      const booted = await localTarget({
        parts: parts?.(markFired),
        threshold,
        config: config && ((given) => config(given, markFired)),
      })
      closers.push(booted.close)
      const plain = await trialTarget(booted, options)
      const prepared = await around?.(plain, markFired)
      if (prepared !== undefined) closers.push(prepared.close)
      const target = prepared?.target ?? plain
      const { missing, blockMs } = await probeCapabilities(checks, target, freshFetch)
      const { seed } = options
      return createSession({ target, seed, effort: 1, missing, blockMs, expectationOf })
    })
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined)
  }
}
