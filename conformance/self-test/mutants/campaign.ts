import type { TrialScope } from 'polgate-conformance/proof/asked.ts'
import type { Trial } from 'polgate-conformance/proof/trial.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import { nullFloor } from '../nullFloor.ts'
import { nullServers } from '../nullTargets.ts'
import { baseline, controls, testable } from './controls.ts'
import { inProcesses } from './inProcesses.ts'
import { type KillRate, killRateOf } from './killRate.ts'
import type { Mutant } from './mutant.ts'
import type { Order } from './trial.process.ts'

export type CampaignOptions = {
  /** The whole catalogue: the basis of the rate of a subset. */
  readonly catalogue: readonly Mutant[]
  readonly chosen: readonly Mutant[]
  readonly seed: string
  /** Selection of checks per mutant: one with a dedicated stack may get fewer. */
  readonly asking: (mutant: Mutant) => TrialScope
  readonly workers: number
  /** Trials as the reference implementation, not as a third party's gateway. */
  readonly reference?: boolean | undefined
  /** False omits the controls: for the development of a mutant. */
  readonly controlled: boolean
  readonly signal: AbortSignal
  readonly onTrial: (trial: Trial, done: number, of: number) => void
}

/** Outcome of a control. */
export type ControlOutcome = {
  readonly id: string
  readonly expects: string
  readonly held: boolean
  readonly observed: string
}

export type Campaign = {
  readonly trials: readonly Trial[]
  readonly controls: readonly ControlOutcome[]
  /** Checks that passed on a server that does nothing right, by server; of the whole catalogue only. */
  readonly floor: Readonly<Record<string, number>>
  readonly rate: KillRate
  /** Why the campaign measured nothing; its kills are then worthless. */
  readonly voided: string | undefined
}

function reportedOf({ verdict, failed, asked, reason }: Trial): string {
  const names = failed.map(({ id }) => id)
  const some = names.length === 0 ? '' : `, failed: ${names.slice(0, 5).join(' ')}`
  return `${verdict}, ${asked} checks ran${some}${reason === undefined ? '' : `, ${reason}`}`
}

/**
 * Runs mutants and controls, which show that a kill means something: the service without a fault
 * passes, a canary dies, an equal one is void, an invisible fault survives, one that does not start
 * is broken, and servers that do nothing score nothing.
 */
export async function runCampaign(options: CampaignOptions): Promise<Campaign> {
  const { catalogue, chosen, seed, asking, reference = false } = options
  const asked = new Set(chosen.flatMap((mutant) => mutant.clauses))
  const unknown = [...asked].filter((clause) => !testable.has(clause))
  if (unknown.length > 0) throw new Error(`no check cites ${unknown.join(', ')}`)
  const known = options.controlled ? [baseline([...asked]), ...controls] : []
  const orders: Order[] = [
    // The baseline runs all checks, and takes longest.
    ...known.map(({ mutant: { id, clauses } }) => ({
      id,
      clauses,
      seed,
      asking: 'cited' as const,
      reference,
      ...(id === 'control.baseline' ? { concurrency: 8 } : {}),
    })),
    ...chosen.map((mutant) => ({
      id: mutant.id,
      clauses: mutant.clauses,
      seed,
      asking: asking(mutant),
      reference,
    })),
  ]
  const all: Trial[] = []
  await inProcesses(orders, {
    workers: options.workers,
    signal: options.signal,
    onTrial: (trial) => {
      all.push(trial)
      options.onTrial(trial, all.length, orders.length)
    },
  })
  const floor: Record<string, number> = {}
  // It is that of the suite: a part of the catalogue does not change it, and a test measures it too.
  const whole = chosen.length === catalogue.length
  if (options.controlled && whole && !options.signal.aborted)
    for (const name of Object.keys(nullServers) as (keyof typeof nullServers)[]) {
      const results = await nullFloor(name)
      floor[name] = results.filter(({ verdict }) => verdict === 'passed').length
    }
  const outcomes = known.map(({ mutant: { id }, expects, holds }): ControlOutcome => {
    const trial = all.find((each) => each.id === id)
    if (trial === undefined) return { id, expects, held: false, observed: 'it did not run' }
    return { id, expects, held: holds(trial), observed: reportedOf(trial) }
  })
  const trials = all.filter(({ id }) => chosen.some((mutant) => mutant.id === id))
  const broken = outcomes.find(({ held }) => !held)
  const passing = Object.entries(floor).find(([, passed]) => passed > 0)
  return {
    trials,
    controls: outcomes,
    floor,
    rate: killRateOf(clauses, catalogue, trials),
    voided:
      broken !== undefined
        ? `${broken.id} (${broken.expects}): ${broken.observed}`
        : passing !== undefined
          ? `${passing[1]} checks pass on the server ${passing[0]}`
          : undefined,
  }
}
