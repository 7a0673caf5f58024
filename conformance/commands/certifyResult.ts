import type { ProfileProof } from '../core/profileProof.ts'
import { type ExitCode, exitCode, type RunVerdict } from '../core/verdict.ts'
import type { Level } from '../register/clause.ts'
import { isComplete } from '../reports/report.ts'
import type { Gate } from './gate.ts'
import type { SuiteRun } from './runSuite.ts'

/** A check that failed, without secrets. */
export type Failure = {
  readonly id: string
  readonly title: string
  readonly level: Level
  /** Ids of clauses; empty for a check of the gateway's own. */
  readonly clauses: readonly string[]
  readonly reason: string
  readonly expected?: string
  readonly observed?: string
  readonly counterexample?: string
  /** The request as a shell line; keys appear as `$SVC_KEY_READ`. */
  readonly curl?: string
  /** The file of a check of the gateway's own. */
  readonly file?: string
}

/** Checks by outcome. */
export type Counts = {
  readonly total: number
  readonly passed: number
  readonly failed: Readonly<Record<Level, number>>
  readonly untestable: number
  readonly notApplicable: number
}

/** The outcome of a run, as a value that can be cloned. */
export type CertifyResult = {
  /** What the run says about the gateway; a comparison with an earlier run does not change it. */
  readonly verdict: RunVerdict
  /** The claimed profiles, and what is proven of each; empty where only a part of the checks ran. */
  readonly profiles: readonly ProfileProof[]
  /** 0, 1, 2, 3 or 130; of the comparison where one was asked for. */
  readonly exitCode: ExitCode
  /** Why the verdict is what it is, in one line. */
  readonly reason?: string
  /** Every planned check reported. */
  readonly complete: boolean
  readonly seed: string
  readonly target: { readonly name: string; readonly gatewayUrl: string }
  /** Checks of the suite. */
  readonly counts: Counts
  /** Checks of the gateway itself, where it has some. */
  readonly own?: Counts
  readonly failures: readonly Failure[]
  /** Paths by kind, such as `junit`, and `events` for the log; empty where nothing was written. */
  readonly reports: Readonly<Record<string, string>>
  /** The comparison with an earlier run, where one was asked for. */
  readonly gate?: Gate
  /** What went wrong in reporters: they do not change the verdict. */
  readonly reporterErrors: readonly string[]
}

export type ResultParts = {
  readonly reports: Readonly<Record<string, string>>
  readonly gate?: Gate | undefined
}

export function resultOf(
  { report, code }: SuiteRun,
  { reports, gate }: ResultParts,
): CertifyResult {
  const { summary, started, results } = report
  const { passed, failed, untestable, notApplicable, total, own, reason } = summary
  return {
    verdict: summary.verdict,
    profiles: summary.profiles,
    exitCode: gate?.code ?? code,
    ...(reason === undefined ? {} : { reason }),
    complete: isComplete(report) && report.unreported.length === 0,
    seed: started.seed,
    target: { name: started.target, gatewayUrl: started.gatewayUrl },
    counts: { total, passed, failed, untestable, notApplicable },
    ...(own === undefined ? {} : { own }),
    failures: results.flatMap((result) => {
      if (result.verdict !== 'failed') return []
      const { id, title, level, clauses, expected, observed, counterexample, curl } = result
      const facts = { expected, observed, counterexample, curl, file: result.own?.file }
      const known = Object.entries(facts).filter(([, value]) => value !== undefined)
      return [
        { id, title, level, clauses, reason: result.reason ?? '', ...Object.fromEntries(known) },
      ]
    }),
    reports,
    ...(gate === undefined ? {} : { gate }),
    reporterErrors: [],
  }
}

/** The same with what its reporters did wrong, which a run must not end well with. */
export const withReporterErrors = (
  result: CertifyResult,
  errors: readonly Error[],
): CertifyResult =>
  errors.length === 0
    ? result
    : {
        ...result,
        exitCode: result.exitCode === exitCode.conformant ? exitCode.couldNotRun : result.exitCode,
        reporterErrors: errors.map(({ message }) => message),
      }
