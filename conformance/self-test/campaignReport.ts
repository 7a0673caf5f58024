import type { Trial } from 'polgate-conformance/proof/trial.ts'
import type { Colours } from 'polgate-conformance/reports/colours.ts'
import { counted } from 'polgate-lib/text/counted.ts'
import type { Campaign } from './mutants/campaign.ts'
import type { ClauseRate } from './mutants/killRate.ts'
import type { Mutant } from './mutants/mutant.ts'

/** One finished trial; with `details` also its failed checks. */
export function trialLine(trial: Trial, c: Colours, details: boolean): string {
  const { verdict, id, asked, ms, reason, failed, unproven } = trial
  const colour = verdict === 'killed' ? c.green : verdict === 'survived' ? c.red : c.yellow
  const why = reason === undefined ? '' : `: ${reason}`
  const line = `${colour(verdict.padEnd(8))} ${id}  ${counted(asked, 'check')}, ${(ms / 1000).toFixed(1)} s${why}`
  if (!details || id.startsWith('control.')) return line
  const shown = failed
    .slice(0, 6)
    .map(
      (each) =>
        `    ${each.id} (${each.clauses.join(' ')}): ${each.twinRefused ? 'its twin was refused: ' : ''}${each.reason ?? ''}`,
    )
  const more = failed.length > 6 ? [`    and ${failed.length - 6} more`] : []
  const left = unproven.length === 0 ? [] : [`    not caught: ${unproven.join(' ')}`]
  return [line, ...shown, ...more, ...left].join('\n')
}

export type CampaignReportOptions = {
  readonly colours: Colours
  readonly catalogue: readonly Mutant[]
  /** The whole catalogue ran: a clause without a killed mutant is then a gap. */
  readonly whole: boolean
}

const percent = ({ proven, of }: { proven: number; of: number }) =>
  of === 0 ? '-' : `${proven}/${of} (${Math.floor((100 * proven) / of)} %)`

function sectionLines(clauses: readonly ClauseRate[]): readonly string[] {
  const sections = [...new Set(clauses.map(({ section }) => section))]
  const cells = sections.map((section) => {
    const musts = clauses.filter((each) => each.section === section && each.level === 'must')
    const proven = musts.filter(({ killed }) => killed.length > 0).length
    return `${section.padEnd(4)} ${`${proven}/${musts.length}`.padEnd(7)}`
  })
  return Array.from({ length: Math.ceil(cells.length / 6) }, (_, row) =>
    `  ${cells.slice(row * 6, row * 6 + 6).join(' ')}`.trimEnd(),
  )
}

/** The campaign as text: unexpected results, the rate by section, the totals last. */
export function campaignReport(
  { trials, controls, floor, rate, voided }: Campaign,
  { colours: c, catalogue, whole }: CampaignReportOptions,
): string {
  const faultOf = new Map(catalogue.map(({ id, fault }) => [id, fault]))
  const bad = trials
    .filter(({ verdict }) => verdict !== 'killed')
    .map(({ id, verdict, unproven, reason }) => {
      const what = verdict === 'survived' ? `no check for ${unproven.join(' ')} failed` : reason
      return `${c.red('x')} ${verdict} ${id} (${faultOf.get(id) ?? ''}): ${what ?? ''}`
    })
  const open = rate.clauses.filter(({ level, killed }) => level === 'must' && killed.length === 0)
  const untried = open.filter(({ mutants }) => mutants.length === 0).map(({ id }) => id)
  const gaps =
    whole && untried.length > 0 ? [`${c.red('x')} violated by no mutant: ${untried.join(' ')}`] : []
  const failing = controls.filter(({ held }) => !held)
  const { killed, survived } = rate.mutants
  const controlLine =
    controls.length === 0
      ? 'controls  omitted: nothing validates these kills'
      : `controls  ${controls.length - failing.length} of ${controls.length} as expected${failing.map(({ id, observed }) => `, ${id}: ${observed}`).join('')}`
  const floorLine = Object.entries(floor)
    .map(([name, passed]) => `${name} ${passed}`)
    .join(', ')
  return [
    ...bad,
    ...gaps,
    ...(bad.length + gaps.length > 0 ? [''] : []),
    'must-clauses with a mutant caught by a check that cites them, by section',
    ...sectionLines(rate.clauses),
    '',
    controlLine,
    ...(floorLine === ''
      ? []
      : [`floor     checks that pass on servers that do nothing: ${floorLine}`]),
    `mutants   ${killed} killed, ${survived} survived, ${rate.mutants.void} void, ${rate.mutants.broken} broken, of ${trials.length}${whole ? '' : ` (of ${catalogue.length} in the catalogue)`}`,
    ...(voided === undefined
      ? [
          `kill rate must ${percent(rate.must)} | should ${percent(rate.should)} | may ${percent(rate.may)}`,
        ]
      : [c.red(`VOID: this run measured nothing: ${voided}`)]),
    '',
  ].join('\n')
}
