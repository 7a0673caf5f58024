import { checks } from '../checks/catalogue.ts'
import type { CheckFinished } from '../runner/events.ts'
import { runChecks } from '../runner/runChecks.ts'
import { createSession } from '../runner/session.ts'
import { probeCapabilities } from '../targets/capabilities.ts'
import { localTarget } from '../targets/local.ts'
import type { Mutant } from './mutant.ts'

export type Trial = {
  readonly id: string
  /**
   * `killed`: for every clause it breaks a check that cites the clause failed. `survived`: for one
   * at least none did. `void`: the fault never took effect, so nothing was measured. `broken`: the
   * gateway did not boot, or no check could be asked.
   */
  readonly verdict: 'killed' | 'survived' | 'void' | 'broken'
  /** Clauses that no failing check cites. */
  readonly unproven: readonly string[]
  readonly failed: readonly CheckFinished[]
  readonly asked: number
  /** Why it is broken or void. */
  readonly reason?: string
  readonly ms: number
}

export type TryOptions = {
  readonly seed: string
  /** Ask on after the fault was found: for the fingerprint. */
  readonly whole?: boolean
  readonly concurrency?: number
}

/** The checks that cite one of the clauses. */
export const checksOf = (clauses: readonly string[]) =>
  checks.filter((check) => check.clauses.some((clause) => clauses.includes(clause)))

/** Boots one mutant and asks the checks that cite what it breaks. Never throws. */
export const tryMutant = async (mutant: Mutant, options: TryOptions): Promise<Trial> => {
  const began = performance.now()
  let fired = 0
  const fire = () => {
    fired++
  }
  const end = (trial: Omit<Trial, 'id' | 'ms'>): Trial => ({
    id: mutant.id,
    ...trial,
    ms: Math.round(performance.now() - began),
  })
  const nothing = { unproven: mutant.clauses, failed: [], asked: 0 }
  const closers: (() => Promise<void>)[] = []
  try {
    const { parts, config, around } = mutant
    const booted = await localTarget({
      parts: parts?.(fire),
      config: config && ((given) => config(given, fire)),
    })
    closers.push(booted.close)
    const prepared = await around?.(booted.target, fire)
    if (prepared !== undefined) closers.push(prepared.close)
    const target = prepared?.target ?? booted.target
    const selected = checksOf(mutant.clauses)
    const { missing } = await probeCapabilities(checks, target, fetch)
    const session = createSession({ target, seed: options.seed, effort: 1, missing })
    const unproven = new Set(mutant.clauses)
    const results = await runChecks(selected, session, {
      concurrency: options.concurrency ?? 4,
      onResult: (result) => {
        if (result.verdict === 'failed')
          for (const clause of result.clauses) unproven.delete(clause)
      },
      enough: () => !options.whole && unproven.size === 0,
    })
    const failed = results.filter(({ verdict }) => verdict === 'failed')
    const common = { unproven: [...unproven], failed, asked: results.length }
    if (!results.some(({ verdict }) => verdict === 'failed' || verdict === 'passed'))
      return end({ ...common, verdict: 'broken', reason: 'no check could be asked' })
    if (fired === 0) return end({ ...common, verdict: 'void', reason: 'the fault took no effect' })
    return end({ ...common, verdict: unproven.size === 0 ? 'killed' : 'survived' })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return end({ ...nothing, verdict: 'broken', reason })
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined)
  }
}
