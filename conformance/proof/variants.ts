import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'

/** What the suite found on a correct gateway. */
export type VariantSummary = {
  /** The variants of the gateway. */
  readonly ids: readonly string[]
  /** Checks that judged it. */
  readonly checks: number
  /** Those that failed, or that were required and proved nothing. */
  readonly alarms: number
}

const header = `\
# Correct gateways that differ from the reference implementation: a line per gateway, with the last result.
# Written by \`npx polgate variants --record\`.
# Columns: checks, false alarms, the variants that the gateway combines.
`

const path = fileURLToPath(new URL('./variants.tsv', import.meta.url))

export const parseVariants = (text: string): readonly VariantSummary[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [checks, alarms, ids, ...rest] = line.split('\t')
      if (!/^\d+$/.test(checks ?? '') || !/^\d+$/.test(alarms ?? '') || !ids || rest.length > 0)
        throw new Error(`variants.tsv: a line has other than three columns: ${line.slice(0, 80)}`)
      return { ids: ids.split(' '), checks: Number(checks), alarms: Number(alarms) }
    })

export function variantsText(gateways: readonly VariantSummary[]): string {
  const lines = gateways
    .map(({ ids, checks, alarms }) => [checks, alarms, ids.join(' ')].join('\t'))
    .sort((a, b) => (a.split('\t')[2]! < b.split('\t')[2]! ? -1 : 1))
  return `${header}${lines.map((line) => `${line}\n`).join('')}`
}

export const readVariants = (): readonly VariantSummary[] =>
  parseVariants(readFileSync(path, 'utf8'))

export const writeVariants = (gateways: readonly VariantSummary[]): void =>
  replaceFileSync(path, variantsText(gateways))

/** The rate as certificates quote it; undefined before the first run. */
export function falseAlarmRate(gateways: readonly VariantSummary[]): string | undefined {
  if (gateways.length === 0) return undefined
  const sum = (pick: (gateway: VariantSummary) => number) =>
    gateways.reduce((total, gateway) => total + pick(gateway), 0)
  return (
    `${sum(({ alarms }) => alarms)} of ${sum(({ checks }) => checks)} checks, ` +
    `on ${gateways.length} correct gateways`
  )
}
