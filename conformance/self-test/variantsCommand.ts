import type { CommandIo } from 'polgate-conformance/commands/world.ts'
import { CannotRun } from 'polgate-conformance/core/conformanceError.ts'
import { derivedSeed, freshSeed, parseSeed } from 'polgate-conformance/core/seed.ts'
import { type ExitCode, exitCode } from 'polgate-conformance/core/verdict.ts'
import { readSummary, writeSummary } from 'polgate-conformance/proof/summary.ts'
import { selectOnly } from './only.ts'
import { variants as catalogue } from './variants/catalogue.ts'
import { rowsOf } from './variants/rows.ts'
import { runRows } from './variants/runRows.ts'
import type { Alarm, RowResult } from './variants/tryRow.ts'

export type VariantsOptions = {
  /** Regular expressions over ids. */
  readonly only?: readonly string[] | undefined
  readonly singly?: boolean | undefined
  readonly pairwise?: boolean | undefined
  readonly allAtOnce?: boolean | undefined
  readonly workers?: number | undefined
  readonly seed?: string | undefined
  /** Save the rate, which certificates quote; only for the whole catalogue. */
  readonly record?: boolean | undefined
  readonly list?: boolean | undefined
  readonly json?: boolean | undefined
}

const named = (ids: readonly string[]) =>
  ids.length <= 3 ? ids.join(' + ') : `${ids.slice(0, 2).join(' + ')} + ${ids.length - 2} others`

function alarmText({ id, level, verdict, reason, expected, observed }: Alarm): string {
  const what = verdict === 'failed' ? `failed: ${reason}` : `untestable: ${reason}`
  const details = expected === undefined ? '' : `\n        expected ${expected}, got ${observed}`
  return `    ${id} (${level}) ${what}${details}\n`
}

/**
 * Runs correct gateways that differ from the reference implementation, and reports the checks that
 * fail on them. 0: every gateway was conformant. 1: a check raised a false alarm. 2: nothing was
 * measured.
 */
export async function variants(options: VariantsOptions, world: CommandIo): Promise<ExitCode> {
  const { stdout, stderr, signal } = world
  const chosen = selectOnly(catalogue, options.only ?? [], 'variant')
  if (options.list) {
    for (const { id, choice } of chosen) stdout.write(`${id.padEnd(44)} ${choice}\n`)
    stdout.write(`${chosen.length} variants\n`)
    return exitCode.conformant
  }
  const { singly = false, pairwise = false, allAtOnce = false } = options
  const every = !singly && !pairwise && !allAtOnce
  if (options.record && (!every || chosen.length < catalogue.length))
    throw new CannotRun('--record needs all variants, singly, pairwise and all at once')
  const seed = options.seed === undefined ? freshSeed() : parseSeed(options.seed)
  const modes = { singly: singly || every, pairwise: pairwise || every, all: allAtOnce || every }
  const rows = rowsOf(chosen, modes, randomOf(seed))
  if (!options.json) stdout.write(`seed ${seed}\n`)
  const results = await runRows({
    ...{ rows, seed, workers: options.workers ?? 2, signal },
    onRow: (result, done) => {
      const { ids, conformant, passed, alarms, broken, ms } = result
      const verdict =
        broken === undefined
          ? `${conformant ? 'conformant' : 'NOT CONFORMANT'}, ${passed} checks passed`
          : `broken: ${broken}`
      const took = `${(ms / 1_000).toFixed(0)} s`
      stderr.write(`[${done}/${rows.length}] ${named(ids)}: ${verdict}, ${took}\n`)
      for (const alarm of alarms) stderr.write(alarmText(alarm))
    },
  })
  if (signal.aborted) return exitCode.interrupted
  const summary = summaryOf(results)
  if (options.record) {
    const { alarms, checks, gateways } = summary
    const falseAlarms = `${alarms} of ${checks} checks, on ${gateways} correct gateways`
    writeSummary({ ...readSummary(), falseAlarms })
  }
  if (options.json) stdout.write(`${JSON.stringify({ ...summary, results })}\n`)
  else
    stdout.write(
      `false alarms ${summary.alarms} of ${summary.checks} checks, on ${summary.gateways} gateways ` +
        `(${chosen.length} variants); ${summary.notConformant} not conformant\n`,
    )
  if (results.length === 0 || results.every(({ broken }) => broken !== undefined))
    return exitCode.couldNotRun
  return summary.alarms > 0 || summary.notConformant > 0
    ? exitCode.notConformant
    : exitCode.conformant
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: string): () => number {
  let drawn = 0
  return () => {
    drawn += 1
    return (derivedSeed(seed, 'rows', String(drawn)) >>> 0) / 2 ** 32
  }
}

function summaryOf(results: readonly RowResult[]) {
  const sum = (pick: (result: RowResult) => number) =>
    results.reduce((total, result) => total + pick(result), 0)
  return {
    gateways: results.length,
    notConformant: results.filter(({ conformant }) => !conformant).length,
    alarms: sum(({ alarms }) => alarms.length),
    checks: sum(({ passed, alarms }) => passed + alarms.length),
  }
}
