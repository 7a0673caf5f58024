import type { CommandIo } from 'polgate-conformance/commands/world.ts'
import { freshSeed, parseSeed } from 'polgate-conformance/core/seed.ts'
import { type ExitCode, exitCode } from 'polgate-conformance/core/verdict.ts'
import { falseAlarmRate, readVariants } from 'polgate-conformance/proof/variants.ts'
import { selectOnly } from './only.ts'
import { variants as catalogue } from './variants/catalogue.ts'
import { randomOf, rowsOf } from './variants/rows.ts'
import { runRows } from './variants/runRows.ts'
import { saveRows, unsaved } from './variants/saveRows.ts'
import type { Alarm, RowResult } from './variants/tryRow.ts'
import type { Variant } from './variants/variant.ts'

export type VariantsOptions = {
  /** Regular expressions over ids. */
  readonly only?: readonly string[] | undefined
  readonly singly?: boolean | undefined
  readonly pairwise?: boolean | undefined
  readonly allAtOnce?: boolean | undefined
  readonly workers?: number | undefined
  readonly seed?: string | undefined
  /** Save the result of each gateway as it ends; certificates quote the rate of all saved ones. */
  readonly record?: boolean | undefined
  /** Only gateways without a saved result, or with false alarms in it. */
  readonly unsaved?: boolean | undefined
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
  const seed = options.seed === undefined ? freshSeed() : parseSeed(options.seed)
  const planned = savedRows({ singly: true, pairwise: true, all: true })
  const rows = options.unsaved
    ? unsaved(
        readVariants().filter(({ alarms }) => alarms === 0),
        chosenRows(chosen, options, seed),
      )
    : chosenRows(chosen, options, seed)
  if (!options.json) stdout.write(`seed ${seed}\n`)
  // A set of earlier variants and a new one shows how these meet; the earlier ones have met.
  const inSets = new Set(readVariants().flatMap(({ ids }) => (ids.length > 1 ? ids : [])))
  const isNew = (id: string) => options.unsaved === true && !inSets.has(id)
  const results = await runRows({
    ...{ rows, seed, isNew, workers: options.workers ?? 2, signal },
    onRow: (result, done) => {
      const { ids, conformant, passed, alarms, broken, ms } = result
      const verdict =
        broken === undefined
          ? `${conformant ? 'conformant' : 'NOT CONFORMANT'}, ${passed} checks passed`
          : `broken: ${broken}`
      const took = `${(ms / 1_000).toFixed(0)} s`
      stderr.write(`[${done}/${rows.length}] ${named(ids)}: ${verdict}, ${took}\n`)
      for (const alarm of alarms) stderr.write(alarmText(alarm))
      if (options.record) saveRows([result], planned)
    },
  })
  if (signal.aborted) return exitCode.interrupted
  const summary = summaryOf(results)
  if (options.json) stdout.write(`${JSON.stringify({ ...summary, results })}\n`)
  else
    stdout.write(
      `false alarms ${summary.alarms} of ${summary.checks} checks, on ${summary.gateways} gateways ` +
        `(${chosen.length} variants); ${summary.notConformant} not conformant\n`,
    )
  if (options.record) {
    const saved = readVariants()
    const left = unsaved(saved, planned).length
    stderr.write(`saved: ${falseAlarmRate(saved) ?? 'nothing'}; ${left} gateways have no result\n`)
  }
  if (results.length === 0 || results.every(({ broken }) => broken !== undefined))
    return exitCode.couldNotRun
  return summary.alarms > 0 || summary.notConformant > 0
    ? exitCode.notConformant
    : exitCode.conformant
}

/** The gateways whose results are saved, with the sets that have one. */
const savedRows = (modes: Parameters<typeof rowsOf>[1]) =>
  rowsOf(
    catalogue,
    modes,
    undefined,
    readVariants().map(({ ids }) => ids),
  )

/** The gateways to run: of those that are saved, the ones without other variants than the chosen. */
function chosenRows(
  chosen: readonly Variant[],
  options: VariantsOptions,
  seed: string,
): readonly (readonly string[])[] {
  const { singly = false, pairwise = false, allAtOnce = false, record } = options
  const every = !singly && !pairwise && !allAtOnce
  const modes = { singly: singly || every, pairwise: pairwise || every, all: allAtOnce || every }
  if (!record && !options.unsaved) return rowsOf(chosen, modes, randomOf(seed))
  const ids = new Set(chosen.map(({ id }) => id))
  return savedRows(modes).filter((row) => row.every((id) => ids.has(id)))
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
