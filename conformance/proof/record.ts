import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { TrialScope } from './asked.ts'
import { type Signature, signatureOf } from './signature.ts'
import type { Finding, Trial } from './trial.ts'

/**
 * Everything that campaigns on this machine found: which checks failed on a mutant, and how one of
 * them did. A build artefact, shipped with a release and not committed; `summary.ts` is.
 */
export type MutantRecord = {
  readonly version: 1
  readonly mutants: Readonly<Record<string, RecordedMutant>>
}

export type RecordedMutant = {
  readonly fault: string
  readonly clauses: readonly string[]
  readonly verdict: Trial['verdict']
  /** Which checks ran. */
  readonly asking: TrialScope
  /** Those that failed: its fingerprint. */
  readonly failed: readonly string[]
  /** What each of them observed; absent in records of an earlier release. */
  readonly signatures?: Readonly<Record<string, Signature>>
  /** A sample failure, which can be shown without a gateway. */
  readonly sample?: Finding
}

/** Where the record is kept, relative to a clone. */
export const recordPlace = 'conformance/.cache/mutants.json'

const path = fileURLToPath(new URL('../.cache/mutants.json', import.meta.url))

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

/** The failed check that shows a mutant best: it cites a clause of it, and its twin was accepted. */
export const detecting = (
  { clauses }: Pick<RecordedMutant, 'clauses'>,
  { failed }: Pick<Trial, 'failed'>,
): Finding | undefined =>
  failed.find(
    (finding) => !finding.twinRefused && finding.clauses.some((id) => clauses.includes(id)),
  )

/** What is kept of a trial. */
export function recorded(
  mutant: Pick<RecordedMutant, 'fault' | 'clauses'>,
  trial: Trial,
  asking: TrialScope,
): RecordedMutant {
  const best = detecting(mutant, trial)
  return {
    fault: mutant.fault,
    clauses: mutant.clauses,
    verdict: trial.verdict,
    asking,
    failed: trial.failed.map(({ id }) => id).sort(),
    signatures: Object.fromEntries(trial.failed.map((each) => [each.id, signatureOf(each)])),
    ...(best === undefined ? {} : { sample: sampleOf(best) }),
  }
}

/** Undefined where no campaign was recorded here. */
export const readRecord = (): MutantRecord | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as MutantRecord) : undefined

export function writeRecord(record: MutantRecord): void {
  mkdirSync(dirname(path), { recursive: true })
  replaceFileSync(path, `${JSON.stringify(record, undefined, 1)}\n`)
}
