import { checks } from 'polgate-conformance/checks/catalogue.ts'
import type { Check } from 'polgate-conformance/core/check.ts'
import type { CheckFinished } from 'polgate-conformance/core/events.ts'
import { summarise } from 'polgate-conformance/core/summary.ts'
import { exitCode } from 'polgate-conformance/core/verdict.ts'
import { askedAmong } from 'polgate-conformance/proof/asked.ts'
import { runChecks } from 'polgate-conformance/runner/runChecks.ts'
import { createSession } from 'polgate-conformance/runner/session.ts'
import { probeCapabilities } from 'polgate-conformance/targets/capabilities.ts'
import { freshFetch } from 'polgate-conformance/wire/freshFetch.ts'
import { localTarget } from '../local/localTarget.ts'
import { thirdPartyTarget } from '../local/thirdPartyTarget.ts'
import { composedParts, type Variant } from './variant.ts'

/** A check that raised a false alarm, or could prove nothing. */
export type Alarm = Pick<
  CheckFinished,
  'id' | 'level' | 'verdict' | 'reason' | 'expected' | 'observed' | 'curl'
>

export type RowResult = {
  readonly ids: readonly string[]
  readonly conformant: boolean
  readonly passed: number
  readonly alarms: readonly Alarm[]
  /** Why the gateway did not start. */
  readonly broken?: string
  readonly ms: number
}

function alarmOf(result: CheckFinished): Alarm {
  const { id, level, verdict, reason, expected, observed, curl } = result
  return {
    ...{ id, level, verdict },
    ...(reason === undefined ? {} : { reason }),
    ...(expected === undefined ? {} : { expected }),
    ...(observed === undefined ? {} : { observed }),
    ...(curl === undefined ? {} : { curl }),
  }
}

/**
 * Runs every check against a gateway with these variants, as against that of a third party.
 *
 * @param added ids of those that no set had before: of narrow choices, only the checks that they concern run
 */
export async function tryRow(
  chosen: readonly Variant[],
  seed: string,
  added: readonly string[] = [],
): Promise<RowResult> {
  const began = performance.now()
  const ids = chosen.map(({ id }) => id)
  const closers: (() => Promise<void>)[] = []
  const end = (result: Omit<RowResult, 'ids' | 'ms'>): RowResult => ({
    ids,
    ...result,
    ms: Math.round(performance.now() - began),
  })
  try {
    const target = await start(chosen, closers)
    const { missing, blockMs } = await probeCapabilities(checks, target, freshFetch)
    const session = createSession({ target, seed, effort: 1, missing, blockMs })
    // Checks of a slow gateway wait most of the time.
    const concurrency = chosen.some(({ slow }) => slow) ? 24 : 8
    const asked = checksFor(
      chosen.length === 1 ? chosen : chosen.filter(({ id }) => added.includes(id)),
    )
    const results = await runChecks(asked, session, { concurrency })
    const sum = (pick: (result: CheckFinished) => number) =>
      results.reduce((total, result) => total + pick(result), 0)
    const { code } = summarise(results, {
      planned: asked.length,
      of: checks.length,
      interrupted: false,
      exchanges: sum(({ exchanges }) => exchanges),
      refusals: sum(({ refusals }) => refusals),
    })
    return end({
      conformant: code === exitCode.conformant,
      passed: results.filter(({ verdict }) => verdict === 'passed').length,
      alarms: results
        .filter(
          ({ verdict, level }) =>
            verdict === 'failed' || (verdict === 'untestable' && level === 'must'),
        )
        .map(alarmOf),
    })
  } catch (error) {
    const broken = error instanceof Error ? error.message : String(error)
    return end({ conformant: false, passed: 0, alarms: [], broken })
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined)
  }
}

/** Those of the sections that narrow choices concern; every check for others, and where there are none. */
function checksFor(chosen: readonly Variant[]): readonly Check[] {
  const clauses = chosen.map((variant) => variant.clauses)
  const isNarrow = clauses.length > 0 && clauses.every((some) => some !== undefined)
  return isNarrow ? askedAmong(checks, clauses.flat() as string[], 'sections') : checks
}

async function start(chosen: readonly Variant[], closers: (() => Promise<void>)[]) {
  const parts = composedParts(chosen.flatMap(({ parts }) => parts?.() ?? []))
  const booted = await localTarget({
    parts,
    config: (given) => chosen.reduce((config, each) => each.config?.(config) ?? config, given),
  })
  closers.push(booted.close)
  let target = await thirdPartyTarget(booted.description)
  for (const { around } of chosen) {
    if (around === undefined) continue
    const prepared = await around(target)
    closers.push(prepared.close)
    target = prepared.target
  }
  const declared = Object.assign({}, ...chosen.map(({ declares }) => declares))
  return { ...target, notApplicable: { ...target.notApplicable, ...declared } }
}
