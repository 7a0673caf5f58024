import { type Static, Type } from '@sinclair/typebox'

/**
 * Runs of the conformance suite against a local stack, as its control API starts and shows them.
 * Everything here comes from the event log of a run, from which secrets are removed.
 */

const Level = Type.Union([Type.Literal('must'), Type.Literal('should'), Type.Literal('may')])
const Verdict = Type.Union([
  Type.Literal('passed'),
  Type.Literal('failed'),
  Type.Literal('untestable'),
  Type.Literal('not-applicable'),
])
const Headers = Type.Record(Type.String(), Type.String())

/** One check that the suite has. */
export const ConformanceCheck = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** Section of the specification: that of the first clause. */
  section: Type.String(),
  clauses: Type.Array(Type.String()),
  level: Level,
  /** Capabilities of the target without which it is untestable. */
  needs: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  /** What it leaves on the target, or changes for a time. */
  writes: Type.Array(Type.String()),
  /** On an idle machine, milliseconds. */
  expectedMs: Type.Number(),
})
export type ConformanceCheck = Static<typeof ConformanceCheck>

/** `GET /conformance/checks`. */
export const ConformanceCatalogue = Type.Object({ checks: Type.Array(ConformanceCheck) })
export type ConformanceCatalogue = Static<typeof ConformanceCatalogue>

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** Body of `POST /conformance/runs`; `{}` runs every check. */
export const ConformanceSelection = Type.Object(
  {
    /** Ids of checks. */
    only: Type.Optional(Type.Array(text(200), { minItems: 1, maxItems: 5_000 })),
    /** A section or the id of a clause: `4.2`, `4.2-07`. */
    clause: Type.Optional(text(40)),
    level: Type.Optional(Level),
    /** Repeats the values of an earlier run. */
    seed: Type.Optional(Type.String({ pattern: '^0x[0-9a-f]{1,16}$' })),
  },
  { additionalProperties: false },
)
export type ConformanceSelection = Static<typeof ConformanceSelection>

export const ConformanceCounts = Type.Object({
  passed: Type.Integer(),
  failed: Type.Integer(),
  untestable: Type.Integer(),
  notApplicable: Type.Integer(),
})
export type ConformanceCounts = Static<typeof ConformanceCounts>

/**
 * - `running`; `finished`: with an exit code of 0, 1 or 3
 * - `cancelled`; `timed-out`: stopped after the longest time that a run may take
 * - `failed`: it could not run, `reason` says why
 * - `interrupted`: the stack ended during the run
 */
export const ConformanceState = Type.Union([
  Type.Literal('running'),
  Type.Literal('finished'),
  Type.Literal('cancelled'),
  Type.Literal('timed-out'),
  Type.Literal('failed'),
  Type.Literal('interrupted'),
])
export type ConformanceState = Static<typeof ConformanceState>

/** One run, without its results. */
export const ConformanceRun = Type.Object({
  id: Type.String(),
  startedAt: Type.String(),
  state: ConformanceState,
  selection: ConformanceSelection,
  /** Number of checks that are selected. */
  planned: Type.Integer(),
  counts: ConformanceCounts,
  /** Milliseconds since the start, or from start to end. */
  ms: Type.Number(),
  seed: Type.Optional(Type.String()),
  /** 0 conformant or selected checks passed, 1 not, 2 could not run, 3 inconclusive, 130 interrupted. */
  code: Type.Optional(Type.Integer()),
  /** What every report of the run says: `CONFORMANT`, `SELECTED CHECKS PASSED (3 of 1,199)`. */
  verdict: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  /** The same on the command line. */
  command: Type.String(),
})
export type ConformanceRun = Static<typeof ConformanceRun>

/** `GET /conformance/runs`, the newest first. */
export const ConformanceRuns = Type.Object({ runs: Type.Array(ConformanceRun) })
export type ConformanceRuns = Static<typeof ConformanceRuns>

/** The result of one check. */
export const ConformanceResult = Type.Object({
  id: Type.String(),
  title: Type.String(),
  section: Type.String(),
  clauses: Type.Array(Type.String()),
  level: Level,
  verdict: Verdict,
  /** Milliseconds: duration, and start since the start of the run. */
  ms: Type.Number(),
  at: Type.Number(),
  /** Method, path or topic that failed, and what was sent to it, shortened. */
  call: Type.Optional(Type.String()),
  sent: Type.Optional(Type.String()),
  /** In one line what is wrong, or why it did not run. */
  reason: Type.Optional(Type.String()),
  expected: Type.Optional(Type.String()),
  observed: Type.Optional(Type.String()),
  counterexample: Type.Optional(Type.String()),
  /** The request that failed, as a shell line; keys as `$SVC_KEY_READ`. */
  curl: Type.Optional(Type.String()),
  /** What `polgate replay` takes. */
  replayId: Type.String(),
  /** Number of exchanges with the target. */
  exchanges: Type.Integer(),
})
export type ConformanceResult = Static<typeof ConformanceResult>

/** `GET /conformance/runs/:id/events?after=N`: results after the first N, in the order of completion. */
export const ConformanceEvents = Type.Object({
  run: ConformanceRun,
  results: Type.Array(ConformanceResult),
  /** Pass it as `after` to go on. */
  next: Type.Integer(),
})
export type ConformanceEvents = Static<typeof ConformanceEvents>

const Request = Type.Object({
  method: Type.String(),
  url: Type.String(),
  headers: Headers,
  body: Type.String(),
  /** The variable that has the API key, and its header where that is not `authorization`. */
  key: Type.Optional(Type.String()),
  keyHeader: Type.Optional(Type.String()),
})

const Response = Type.Object({
  status: Type.Integer(),
  headers: Headers,
  body: Type.String(),
  ms: Type.Number(),
})
export type ConformanceResponse = Static<typeof Response>

/** One observation, in the order of time. */
export const ConformanceEvidence = Type.Object({
  kind: Type.Union([
    Type.Literal('exchange'),
    Type.Literal('unanswered'),
    Type.Literal('frame'),
    Type.Literal('webhook'),
    Type.Literal('block'),
  ]),
  /** Milliseconds since the start of the run. */
  at: Type.Number(),
  /** Original length of a text that was truncated. */
  cut: Type.Optional(Type.Integer()),
  phase: Type.Optional(Type.Union([Type.Literal('twin'), Type.Literal('cleanup')])),
  /** The request that the verdict is about. */
  subject: Type.Optional(Type.Literal(true)),
  request: Type.Optional(Request),
  response: Type.Optional(Response),
  /** Why there is no response. */
  why: Type.Optional(Type.String()),
  /** A message, a delivery or the number of a block. */
  text: Type.Optional(Type.String()),
})
export type ConformanceEvidence = Static<typeof ConformanceEvidence>

/** `GET /conformance/runs/:id/checks/:check`: a result with what was observed. */
export const ConformanceDetail = Type.Object({
  result: ConformanceResult,
  /** Repeats its values in another run. */
  seed: Type.Optional(Type.String()),
  evidence: Type.Array(ConformanceEvidence),
  dropped: Type.Integer(),
})
export type ConformanceDetail = Static<typeof ConformanceDetail>

/** `GET /conformance/runs/:id/groups`: failed checks by cause, the most frequent first. */
export const ConformanceGroups = Type.Object({
  groups: Type.Array(Type.Object({ cause: Type.String(), checks: Type.Array(Type.String()) })),
})
export type ConformanceGroups = Static<typeof ConformanceGroups>

const Change = Type.Object({
  id: Type.String(),
  section: Type.String(),
  level: Type.String(),
  before: Type.Optional(Verdict),
  after: Type.Optional(Verdict),
  reason: Type.Optional(Type.String()),
})
export type ConformanceChange = Static<typeof Change>

/** `GET /conformance/compare?before=RUN&after=RUN`. */
export const ConformanceComparison = Type.Object({
  /** Failed only in the second run. */
  broken: Type.Array(Change),
  /** Failed in the first run and passed in the second. */
  fixed: Type.Array(Change),
  stillFailing: Type.Array(Change),
  /** Decided in the first run, and neither proven nor refuted in the second. */
  newlyUntested: Type.Array(Change),
  newlyTested: Type.Array(Change),
  /** Number of checks with the same result that did not fail. */
  same: Type.Integer(),
})
export type ConformanceComparison = Static<typeof ConformanceComparison>

/** Body of `POST /conformance/replay`. */
export const ConformanceReplay = Type.Object(
  {
    run: text(60),
    /** Id of a check, or the replay id of its failure. */
    check: text(200),
    /** Index in its evidence; by default the request that the verdict is about. */
    evidence: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  },
  { additionalProperties: false },
)
export type ConformanceReplay = Static<typeof ConformanceReplay>

/** The recorded request, sent again. */
export const ConformanceReplayed = Type.Object({
  request: Request,
  /** Absent where the recorded request had no response. */
  before: Type.Optional(Response),
  after: Type.Optional(Response),
  /** Why there is no response now. */
  why: Type.Optional(Type.String()),
})
export type ConformanceReplayed = Static<typeof ConformanceReplayed>
