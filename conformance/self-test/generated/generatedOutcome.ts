import { type ExitCode, exitCode } from 'polgate-conformance/core/verdict.ts'
import { readSummary } from 'polgate-conformance/proof/summary.ts'
import { clauses as register } from 'polgate-conformance/register/register.ts'
import type { Colours } from 'polgate-conformance/reports/colours.ts'
import type { Campaign } from '../mutants/campaign.ts'
import { type GeneratedMember, generatedMembers } from './catalogue.ts'
import { memberRateOf, type Rate, type Verdict } from './memberRate.ts'

/** At least this share of the must-members has to be killed. */
export const requiredShare = 0.95

const share = (killed: number, of: number) =>
  of === 0 ? '-' : `${killed}/${of} (${((100 * killed) / of).toFixed(1)} %)`

const textOf = (clause: string) => register.find(({ id }) => id === clause)?.text ?? ''

function survivorLines({ survivors }: Rate, c: Colours): readonly string[] {
  return Object.entries(survivors)
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .flatMap(([clause, ids]) => [
      `${c.red('x')} ${clause} ${textOf(clause)}`,
      ...ids.map((id) => `    survived ${id}`),
    ])
}

const countOf = (members: readonly GeneratedMember[], level: GeneratedMember['level']) =>
  members.filter((member) => member.level === level)

/** The rate of generated faults as text: survivors by clause first, the totals last. */
export function generatedReport(
  rate: Rate,
  all: readonly GeneratedMember[],
  {
    colours: c,
    controls,
    voided,
  }: { colours: Colours; controls: string; voided?: string | undefined },
): string {
  const { faults, must, neverAnswered } = rate
  const survivors = survivorLines(rate, c)
  const fired = faults.killed + faults.survived
  const tried = fired + faults.void + faults.broken
  const total = all.reduce((sum, { mutants }) => sum + mutants.length, 0)
  const excluded = all.reduce((sum, each) => sum + each.excluded.length, 0)
  const unspecified = countOf(all, 'unspecified').map(({ name }) => name)
  return [
    ...survivors,
    ...(survivors.length > 0 ? [''] : []),
    ...(neverAnswered.length > 0
      ? [`never in an answer that a check saw: ${neverAnswered.join(', ')}`]
      : []),
    `members   ${all.length}: ${countOf(all, 'must').length} must, ${countOf(all, 'should').length} should, ${countOf(all, 'open').length} open, ${unspecified.length} unspecified${unspecified.length > 0 ? ` (${unspecified.join(', ')})` : ''}`,
    controls,
    `faults    ${faults.killed} killed, ${faults.survived} survived, ${faults.void} void, ${faults.broken} broken, of ${tried}${tried < total ? ` (of ${total})` : ''}; ${excluded} not made, each by a rule`,
    ...(voided === undefined
      ? [
          `kill rate must-members ${share(must.killed, must.of)} | faults that took effect ${share(faults.killed, fired)}`,
        ]
      : [c.red(`VOID: this run measured nothing: ${voided}`)]),
    '',
  ].join('\n')
}

/**
 * Report and exit code of a campaign with generated faults. With `recorded`, of all that is recorded:
 * a large campaign runs in parts.
 */
export function generatedOutcome(
  { trials, controls, voided }: Campaign,
  { colours, recorded }: { readonly colours: Colours; readonly recorded: boolean },
): { readonly text: string; readonly code: ExitCode } {
  const before = recorded ? Object.entries(readSummary('generated').mutants) : []
  const verdicts = new Map<string, Verdict>([
    ...before.map(([id, { verdict }]) => [id, verdict] as const),
    ...trials.map(({ id, verdict }) => [id, verdict] as const),
  ])
  const rate = memberRateOf(generatedMembers, verdicts)
  const held = controls.filter((each) => each.held).length
  const line =
    controls.length === 0
      ? 'controls  omitted: nothing validates these kills'
      : `controls  ${held} of ${controls.length} as expected`
  const text = generatedReport(rate, generatedMembers, { colours, controls: line, voided })
  if (voided !== undefined) return { text, code: exitCode.couldNotRun }
  if (rate.must.killed < requiredShare * rate.must.of) return { text, code: exitCode.notConformant }
  return { text, code: rate.faults.broken > 0 ? exitCode.inconclusive : exitCode.conformant }
}
