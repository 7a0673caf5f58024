import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { Asking } from './asked.ts'
import type { Finding, Trial } from './trial.ts'

/** The results of a campaign over the whole catalogue. */
export type MutantRecord = {
  readonly version: 1
  readonly rate: Readonly<Record<'must' | 'should' | 'may', readonly [proven: number, of: number]>>
  /** Checks that passed on servers that do nothing right. */
  readonly nullFloor?: number
  readonly mutants: Readonly<Record<string, RecordedMutant>>
}

export type RecordedMutant = {
  readonly fault: string
  readonly clauses: readonly string[]
  readonly verdict: Trial['verdict']
  /** Which checks ran. */
  readonly asking: Asking
  /** Those that failed: its fingerprint. */
  readonly failed: readonly string[]
  /** Its clauses that no check refuted. */
  readonly unproven: readonly string[]
  /** A sample failure, which can be shown without a gateway. */
  readonly sample?: Finding
}

const path = fileURLToPath(new URL('./record.json', import.meta.url))

/** Characters of a text in the record. */
const longest = 600
const cut = (text: string | undefined) =>
  text === undefined || text.length <= longest ? text : `${text.slice(0, longest)}...`

const sampleOf = ({ expected, observed, counterexample, curl, ...rest }: Finding): Finding => ({
  ...rest,
  ...(expected === undefined ? {} : { expected: cut(expected)! }),
  ...(observed === undefined ? {} : { observed: cut(observed)! }),
  ...(counterexample === undefined ? {} : { counterexample: cut(counterexample)! }),
  ...(curl === undefined ? {} : { curl: cut(curl.replaceAll(/127\.0\.0\.1:\d+/g, 'GATEWAY'))! }),
})

/** What is stored of a trial. */
export const recorded = (
  { fault, clauses }: Pick<RecordedMutant, 'fault' | 'clauses'>,
  { verdict, failed, unproven }: Trial,
  asking: Asking,
): RecordedMutant => {
  const best = failed.find(
    (finding) => !finding.twinRefused && finding.clauses.some((id) => clauses.includes(id)),
  )
  return {
    fault,
    clauses,
    verdict,
    asking,
    failed: failed.map(({ id }) => id).sort(),
    unproven,
    ...(best === undefined ? {} : { sample: sampleOf(best) }),
  }
}

/** The committed record. */
export const readRecord = (): MutantRecord => JSON.parse(readFileSync(path, 'utf8')) as MutantRecord

export const writeRecord = (record: MutantRecord): void =>
  replaceFileSync(path, `${JSON.stringify(record, undefined, 2)}\n`)
