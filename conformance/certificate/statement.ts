import type { SuiteCheck } from '../core/check.ts'
import { belongsTo } from '../core/checkProfiles.ts'
import type { CheckFinished, PlannedCheck } from '../core/events.ts'
import type { LogLine } from '../core/logLine.ts'
import { certifies } from '../core/verdict.ts'
import type { Level } from '../register/clause.ts'
import { type Profile, profiles } from '../register/profiles.ts'
import { bySection, ofSpecification, type Report } from '../reports/report.ts'
import { merkleRoot } from './merkle.ts'
import { checkSet, requirementSet } from './requirementSet.ts'
import { type Subject, subjectsOf } from './subject.ts'

export const statementType = 'https://in-toto.io/Statement/v1'
export const predicateType = 'https://in-toto.io/attestation/test-result/v0.1'

/** Quality of the suite; supplied by the signer, as no event log contains it. */
export type SuiteRecord = {
  /** Mutants that the suite detected, of all mutants. */
  readonly killRate?: string | undefined
  /** Checks that failed on correct gateways that differ from the reference implementation. */
  readonly falseAlarms?: string | undefined
  /** Checks that pass against a server that does nothing. */
  readonly nullFloor?: number | undefined
  /** Runs in which a verdict changed without a cause, of all runs. */
  readonly flakeRate?: string | undefined
}

/** A claimed profile. Clauses are required ones that have a check. */
export type CertifiedProfile = {
  readonly profile: Profile
  readonly holds: boolean
  readonly clauses: number
  readonly proven: number
  /** Not proven, for what a target may lack. */
  readonly notProven: readonly string[]
}

export type TestResult = 'PASSED' | 'WARNED' | 'FAILED'

/** The part of a certificate that follows from the evidence alone: a verifier recomputes it. */
export type Recomputed = {
  readonly result: TestResult
  readonly passedTests: readonly string[]
  readonly warnedTests: readonly string[]
  readonly failedTests: readonly string[]
  readonly 'x-scope': {
    readonly declared: readonly string[]
    readonly untestable: readonly string[]
    readonly waived: Readonly<Record<string, string>>
    readonly unreported: readonly string[]
    /** What the certificate is about, as every report words it. */
    readonly verdict: string
    /** The claimed profiles. */
    readonly profiles: readonly CertifiedProfile[]
    readonly notClaimed: readonly Profile[]
    /** Clauses proven, of all of the register. */
    readonly clauses: { readonly proven: number; readonly of: number }
    /** Capabilities that the target file waives, each with the reason. */
    readonly waivers: Readonly<Record<string, string>>
    /** Checks of the claimed profiles that the run did not plan. */
    readonly notPlanned: readonly string[]
    /**
     * Checks of the gateway itself that ran too. They are outside the certificate: neither its result nor
     * its lists depend on them.
     */
    readonly own?: readonly {
      readonly id: string
      readonly level: Level
      readonly file: string
      readonly sha256: string
      readonly verdict: string
    }[]
    readonly level: 'must'
    readonly seed: string
    readonly score: { readonly planned: number; readonly provable: number; readonly proven: number }
  }
}

export type Statement = {
  readonly _type: typeof statementType
  readonly subject: readonly Subject[]
  readonly predicateType: typeof predicateType
  readonly predicate: Recomputed & {
    readonly configuration: readonly {
      readonly name: string
      readonly digest: { readonly sha256: string }
    }[]
    readonly 'x-suite': SuiteRecord & { readonly version: string }
    readonly 'x-evidence': {
      readonly merkleRoot: string
      readonly events: number
      readonly redacted: true
    }
    readonly 'x-validity': {
      readonly issuedAt: string
      readonly expiresAt: string
      readonly challengeable: boolean
    }
  }
}

const nameOf = ({ section, id }: PlannedCheck) => `${section}/${id}`

function names(checks: readonly PlannedCheck[]): readonly string[] {
  const sections = [...new Set(checks.map(({ section }) => section))].sort(bySection)
  const rank = new Map(sections.map((section, i) => [section, i]))
  return [...checks]
    .sort((a, b) => rank.get(a.section)! - rank.get(b.section)! || (a.id < b.id ? -1 : 1))
    .map(nameOf)
}

/**
 * PASSED: all checks of the claimed profiles ran, and the profiles hold. WARNED: so, but a recommended check
 * failed. An expected failure is still a failure.
 */
function resultOf({ results, summary, ...report }: Report, notPlanned: number): TestResult {
  if (!certifies(summary.verdict) || notPlanned > 0 || report.finished?.interrupted !== false)
    return 'FAILED'
  return results.some(({ verdict }) => verdict === 'failed') ? 'WARNED' : 'PASSED'
}

/** The part of a certificate that follows from its evidence. `checks`: all of the suite. */
export function recompute(whole: Report, checks: readonly SuiteCheck[]): Recomputed {
  const report = ofSpecification(whole)
  const of = (keep: (result: CheckFinished) => boolean) => report.results.filter(keep)
  const plan = new Set(report.started.checks.map(({ id }) => id))
  const { profiles: claimed = profiles, waived: waivers = {} } = report.started
  const notPlanned = checks.filter((check) => !plan.has(check.id) && belongsTo(check, claimed))
  return {
    result: resultOf(report, notPlanned.length),
    passedTests: names(of((r) => r.verdict === 'passed')),
    warnedTests: names(of((r) => r.verdict === 'failed' && r.level !== 'must')),
    failedTests: names(of((r) => r.verdict === 'failed' && r.level === 'must')),
    'x-scope': {
      verdict: report.summary.words,
      profiles: report.summary.profiles.map(({ profile, holds, clauses, proven, excepted }) => ({
        profile,
        holds,
        clauses,
        proven,
        notProven: excepted.map(({ clause }) => clause),
      })),
      notClaimed: profiles.filter((profile) => !claimed.includes(profile)),
      clauses: { proven: report.coverage.proven, of: report.coverage.clauses },
      waivers,
      declared: report.started.capabilities,
      untestable: names(of((r) => r.verdict === 'untestable')),
      waived: Object.fromEntries(
        of((r) => r.verdict === 'not-applicable').map((r) => [nameOf(r), r.reason ?? '']),
      ),
      unreported: names(report.unreported),
      notPlanned: names(notPlanned),
      level: 'must',
      seed: report.started.seed,
      score: report.score,
      ...ownOf(whole),
    },
  }
}

function ownOf({ started, results }: Report): Pick<Recomputed['x-scope'], 'own'> {
  const own = started.checks.flatMap(({ id, level, own: source }) => {
    if (source === undefined) return []
    const verdict = results.find((result) => result.id === id)?.verdict ?? 'did not report'
    return [{ id, level, file: source.file, sha256: source.sha256, verdict }]
  })
  return own.length === 0 ? {} : { own: own.sort((a, b) => (a.id < b.id ? -1 : 1)) }
}

const dayMs = 86_400_000
export const validDays = 90

export type CertificateOptions = {
  /** All checks of the suite: those that were not planned are listed. */
  readonly checks: readonly SuiteCheck[]
  /** The lines of the event log, as in its file. */
  readonly lines: readonly LogLine[]
  readonly issuedAt: Date
  /** SHA-256 over the key of the target's TLS certificate, if it has one. */
  readonly tlsSpki?: string | undefined
  readonly suiteRecord?: SuiteRecord | undefined
}

/** The signed content: an in-toto statement with a test result, over a recorded run. */
export function statementOf(report: Report, options: CertificateOptions): Statement {
  const { checks, lines, issuedAt, tlsSpki, suiteRecord = {} } = options
  const { gatewayUrl, suite, identity } = report.started
  return {
    _type: statementType,
    subject: subjectsOf(gatewayUrl, { tlsSpki, imageDigest: identity?.digest }),
    predicateType,
    predicate: {
      ...recompute(report, checks),
      configuration: [requirementSet(report.clauses), checkSet(checks)].map(({ name, sha256 }) => ({
        name,
        digest: { sha256 },
      })),
      'x-suite': { version: suite, ...suiteRecord },
      'x-evidence': { merkleRoot: merkleRoot(lines), events: lines.length, redacted: true },
      'x-validity': {
        issuedAt: issuedAt.toISOString(),
        expiresAt: new Date(issuedAt.getTime() + validDays * dayMs).toISOString(),
        challengeable: true,
      },
    },
  }
}
