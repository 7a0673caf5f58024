import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { Trial } from './trial.ts'

/** What the last campaign found of one mutant. */
export type MutantSummary = {
  readonly fault: string
  readonly clauses: readonly string[]
  readonly verdict: Trial['verdict']
  /** Clauses of its own that no check refuted. */
  readonly unproven: readonly string[]
  /** A check that cites one of its clauses and failed on it; undefined where none did. */
  readonly detectedBy?: string | undefined
}

/** The committed summary of campaigns: enough to hold the catalogue to it, a line per mutant. */
export type CampaignSummary = {
  /** Checks that passed on servers that do nothing right; undefined before the first campaign. */
  readonly nullFloor: number | undefined
  readonly mutants: Readonly<Record<string, MutantSummary>>
}

/** Mutants written by hand, and those derived from the schemas of the answers. */
export type SummaryName = 'mutants' | 'generated'

/** Where the summary is committed, relative to a clone. */
export const summaryPlace = (name: SummaryName): string => `conformance/proof/${name}.tsv`

const pathOf = (name: SummaryName): string =>
  fileURLToPath(new URL(`./${name}.tsv`, import.meta.url))

const columns = `\
# Columns: mutant, verdict, clauses that it breaks, those that no check refuted, check, fault.
`
const headers: Readonly<Record<SummaryName, string>> = {
  mutants: `\
# The last campaign: a line per mutant, with how it was judged and a check that detected it.
# Written by \`npx polgate mutants --record\`; \`npm run mutants:refresh\` updates the faults' wording.
${columns}`,
  generated: `\
# Faults derived from the schemas of the answers: a line per fault, with how it was judged and a check
# that detected it. Written by \`npx polgate mutants --generated --record\`.
${columns}`,
}
const floorPrefix = '# checks passed by the null servers: '

const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '))

export function parseSummary(text: string): CampaignSummary {
  const lines = text.split('\n').filter((line) => line !== '')
  const floor = lines.find((line) => line.startsWith(floorPrefix))?.slice(floorPrefix.length)
  const rows = lines.filter((line) => !line.startsWith('#'))
  const mutants = rows.map((row): readonly [string, MutantSummary] => {
    const [id, verdict, clauses, unproven, check, fault, ...rest] = row.split('\t')
    if (id === undefined || fault === undefined || rest.length > 0)
      throw new Error(`mutants.tsv: a line has other than six columns: ${row.slice(0, 80)}`)
    return [
      id,
      {
        fault,
        clauses: words(clauses!),
        verdict: verdict as Trial['verdict'],
        unproven: words(unproven!),
        ...(check === '' ? {} : { detectedBy: check }),
      },
    ]
  })
  return {
    nullFloor: floor === undefined ? undefined : Number(floor),
    mutants: Object.fromEntries(mutants),
  }
}

export function summaryText(
  { nullFloor, mutants }: CampaignSummary,
  name: SummaryName = 'mutants',
): string {
  const rows = Object.entries(mutants)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { verdict, clauses, unproven, detectedBy = '', fault }]) =>
      [id, verdict, clauses.join(' '), unproven.join(' '), detectedBy, fault].join('\t'),
    )
  const floor = nullFloor === undefined ? [] : [`${floorPrefix}${nullFloor}`]
  return `${headers[name]}${[...floor, ...rows].join('\n')}\n`
}

export const readSummary = (name: SummaryName = 'mutants'): CampaignSummary =>
  parseSummary(readFileSync(pathOf(name), 'utf8'))

export const writeSummary = (summary: CampaignSummary, name: SummaryName = 'mutants'): void =>
  replaceFileSync(pathOf(name), summaryText(summary, name))
