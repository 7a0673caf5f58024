import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { counted } from 'polgate-lib/text/counted.ts'
import type { SuiteCheck } from '../core/check.ts'
import type { PlannedCheck } from '../core/events.ts'
import type { Clause } from '../register/clause.ts'
import type { ReadEvents } from '../reports/readEvents.ts'
import { isComplete, ofSpecification, type Report, reportOf } from '../reports/report.ts'
import { type Envelope, keyIdOf, openEnvelope } from './dsse.ts'
import { merkleRoot } from './merkle.ts'
import { checkSet, requirementSet } from './requirementSet.ts'
import { recompute, type Statement, validDays } from './statement.ts'
import { envelopeSchema, statementSchema } from './statementSchema.ts'
import { subjectsOf } from './subject.ts'

/** One verification step and its result as text. */
export type Step = { readonly name: string; readonly ok: boolean; readonly says: string }

export type VerifyInput = {
  /** Text of the certificate. */
  readonly certificate: string
  readonly evidence: ReadEvents
  /** The key that the reader trusts. */
  readonly publicKey: KeyObject
  readonly now: Date
  /** The clauses and checks of this suite. */
  readonly clauses: readonly Clause[]
  readonly checks: readonly SuiteCheck[]
}

export type Verified = {
  readonly steps: readonly Step[]
  /** Every step succeeded: the certificate matches its evidence, and is signed by a trusted key. */
  readonly authentic: boolean
  /** Absent if there is no trusted statement. */
  readonly statement?: Statement
  /** Read from the evidence, not from the certificate. */
  readonly report?: Report
}

const ajv = new Ajv({ ownProperties: true })
formats.default(ajv)
const isEnvelope = ajv.compile<Envelope>(envelopeSchema)
const isStatement = ajv.compile<Statement>(statementSchema)

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const step = (name: string, problem: string | undefined, fine: string): Step => ({
  name,
  ok: problem === undefined,
  says: problem ?? fine,
})

const dayMs = 86_400_000
/** Tolerated difference between two clocks. */
const skewMs = 300_000

function validity({ predicate }: Statement, report: Report, now: Date): Step {
  const { issuedAt, expiresAt } = predicate['x-validity']
  const [issued, expires] = [Date.parse(issuedAt), Date.parse(expiresAt)]
  const ended = Date.parse(report.finished?.at ?? report.started.at)
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const problem =
    issued > now.getTime() + skewMs
      ? `it is issued on ${day(issued)}, which is in the future`
      : issued + skewMs < ended
        ? 'it was issued before its run ended'
        : expires - ended > (validDays + 1) * dayMs
          ? `it is valid for more than ${validDays} days after its run: an old run may have been signed again`
          : expires <= now.getTime()
            ? `it expired on ${day(expires)}`
            : undefined
  return step('validity', problem, `issued on ${day(issued)}, expires on ${day(expires)}`)
}

function requirements(
  { predicate }: Statement,
  clauses: readonly Clause[],
  checks: readonly PlannedCheck[],
): Step {
  const known = [requirementSet(clauses), checkSet(checks)]
  const unknown = predicate.configuration.filter(
    ({ digest }, i) => digest.sha256 !== known[i]?.sha256,
  )
  return step(
    'requirements',
    unknown.length === 0
      ? undefined
      : `${unknown.map(({ name }) => name).join(' and ')} is unknown to this suite, which has ${known.map(({ name }) => name).join(' and ')}: verify with ${predicate['x-suite'].version}`,
    `${known.map(({ name, size }) => `${name} (${size})`).join(' and ')}, match this suite`,
  )
}

function evidenceRoot({ predicate }: Statement, { lines, truncated }: ReadEvents): Step {
  const said = predicate['x-evidence']
  const root = merkleRoot(lines)
  const problem = truncated
    ? 'its last line is truncated'
    : lines.length !== said.events
      ? `it has ${counted(lines.length, 'event')}, but the certificate covers ${said.events}`
      : root !== said.merkleRoot
        ? 'a line differs from what was signed'
        : undefined
  return step(
    'evidence',
    problem,
    `${counted(lines.length, 'event')}, Merkle root ${root.slice(0, 18)}…`,
  )
}

/**
 * Whether the runner could have written the log: each planned check of the suite once, unchanged.
 */
function wellFormed(
  report: Report,
  { events, lines }: ReadEvents,
  checks: readonly SuiteCheck[],
): Step {
  // A parser and a human may read a line with a duplicate member differently.
  const odd = lines.findIndex((line, i) => String(line) !== JSON.stringify(events[i]))
  const ofSuite = new Map(checks.map((check) => [check.id, check]))
  const plan = new Map(report.started.checks.map((check) => [check.id, check]))
  const same = (a: PlannedCheck | undefined, b: PlannedCheck) =>
    a !== undefined &&
    a.level === b.level &&
    a.section === b.section &&
    isDeepStrictEqual(a.clauses, b.clauses) &&
    isDeepStrictEqual(a.own, b.own)
  const own = report.started.checks.filter((check) => check.own !== undefined)
  // A check of the gateway itself cites no clause and has a name that the suite does not use.
  const foreign = report.started.checks.find((check) =>
    check.own === undefined
      ? !same(ofSuite.get(check.id), check)
      : ofSuite.has(check.id) || check.clauses.length > 0,
  )
  // A capability excuses only a check that needs it, and only where the target lacks it.
  const excused = report.results.find(({ id, lacks = [] }) =>
    lacks.some(
      (name) =>
        report.started.missing[name] === undefined ||
        !(ofSuite.get(id)?.needs ?? lacks).some((need) => need === name),
    ),
  )
  const changed = report.results.find((result) => !same(plan.get(result.id), result))
  const twice =
    report.results.length !== new Set(report.results.map(({ id }) => id)).size ||
    plan.size !== report.started.checks.length
  const problem =
    odd !== -1
      ? `line ${odd + 1} is not formatted as the runner writes it: it may contain a duplicate member`
      : foreign !== undefined
        ? `it plans ${foreign.id}, which is not a check of this suite or is weaker than the suite's`
        : changed !== undefined
          ? `the result of ${changed.id} does not match the planned check`
          : excused !== undefined
            ? `the result of ${excused.id} lacks something that the check does not need or the target has`
            : twice
              ? 'a check has two results, or is planned twice'
              : undefined
  return step(
    'log',
    problem,
    `${counted(plan.size - own.length, 'planned check')}, all identical to those of this suite${own.length === 0 ? '' : `, and ${own.length} of the gateway's own, which it does not cover`}`,
  )
}

function subjectStep(statement: Statement, report: Report): Step {
  const { gatewayUrl, identity } = report.started
  const [gateway] = statement.subject
  const tls = gateway?.annotations.digestOf === 'tls-spki'
  // Everything except its TLS key is in the evidence too.
  const expected = subjectsOf(gatewayUrl, {
    tlsSpki: tls ? gateway.digest.sha256 : undefined,
    imageDigest: identity?.digest,
  })
  const shown = tls
    ? `TLS key sha256:${gateway.digest.sha256.slice(0, 16)}…, as seen by the signer`
    : 'only its address: it has no TLS key'
  return step(
    'subject',
    isDeepStrictEqual(statement.subject, expected)
      ? undefined
      : `it names ${gateway?.uri ?? gateway?.name}, but the evidence is of ${gatewayUrl}`,
    `${gatewayUrl} (${shown})`,
  )
}

function recomputed({ predicate }: Statement, report: Report, checks: readonly SuiteCheck[]): Step {
  const facts = recompute(report, checks)
  const differs = (Object.keys(facts) as (keyof typeof facts)[]).filter(
    (name) => !isDeepStrictEqual(predicate[name], facts[name]),
  )
  const specified = ofSpecification(report)
  const { proven, clauses } = specified.coverage
  const score = `${specified.summary.words}, ${proven} of ${clauses} clauses proven`
  const [first] = differs
  const said =
    first === 'result' ? ` (it says ${predicate.result}, the evidence ${facts.result})` : ''
  const version = predicate['x-suite'].version !== report.started.suite ? ['x-suite.version'] : []
  const wrong = [...differs, ...version]
  return step(
    'result',
    wrong.length === 0
      ? undefined
      : `the certificate contradicts its evidence: ${wrong.join(', ')}${said}`,
    `recomputed from the evidence: ${facts.result}, ${score}`,
  )
}

/**
 * Verifies a certificate against its evidence. Trusted are only statements signed by the reader's
 * key, and those that the evidence can prove are recomputed. Never throws.
 */
export function verifyCertificate(input: VerifyInput): Verified {
  const { evidence, publicKey, now, clauses, checks } = input
  const refused = (one: Step): Verified => ({ steps: [one], authentic: false })
  const envelope = json(input.certificate)
  if (!isEnvelope(envelope))
    return refused({
      name: 'envelope',
      ok: false,
      says: 'it is not a DSSE envelope of a statement',
    })
  const payload = openEnvelope(envelope, publicKey)
  if (payload === undefined)
    return refused({
      name: 'signature',
      ok: false,
      says: `the key ${keyIdOf(publicKey).slice(0, 16)}… did not sign it`,
    })
  const signed = step('signature', undefined, `signed by key ${keyIdOf(publicKey).slice(0, 16)}…`)
  const statement = json(payload.toString('utf8'))
  if (!isStatement(statement))
    return {
      steps: [
        signed,
        { name: 'statement', ok: false, says: 'it is not a statement of a test result' },
      ],
      authentic: false,
    }
  const report = reportOf(evidence.events, clauses)
  const steps = [
    signed,
    validity(statement, report, now),
    requirements(statement, clauses, checks),
    evidenceRoot(statement, evidence),
    wellFormed(report, evidence, checks),
    subjectStep(statement, report),
    step(
      'complete',
      isComplete(report) || statement.predicate.result === 'FAILED'
        ? undefined
        : 'the run did not finish',
      isComplete(report)
        ? 'the run finished'
        : 'the run was interrupted, as the certificate states',
    ),
    recomputed(statement, report, checks),
  ]
  return { steps, authentic: steps.every(({ ok }) => ok), statement, report }
}
