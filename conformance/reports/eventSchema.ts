import { Type } from '@sinclair/typebox'
import { profiles } from '../register/profiles.ts'

/**
 * The format of an event log's lines. Unknown members are allowed, so that a log of a later suite
 * with the same version can be read. `EVENTS.md` and `schema/events.schema.json` are made of it.
 */

const text = (description: string) => Type.String({ maxLength: 1_000_000, description })
const name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const flag = (description: string) => Type.Literal(true, { description })
const oneOf = (values: readonly string[], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  )
const headers = Type.Record(Type.String(), Type.String(), { description: 'By lower-case name' })
const at = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$',
  description: 'ISO 8601, UTC',
})
const ms = (description: string) => Type.Number({ minimum: 0, description })

const ownSource = Type.Object(
  {
    file: text('Relative to the working directory of the run'),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the file' }),
    clause: Type.Optional(text('What it tests, in the words of its author')),
  },
  { description: "Present for a check of the gateway's own, which proves no clause" },
)

const planned = {
  id: name('Never reused, never renamed'),
  title: text('What a gateway does that passes'),
  section: name('Section of the specification, or `own`'),
  clauses: Type.Array(name('Id of a clause'), {
    maxItems: 100,
    description: "Ids of the clauses that it proves or refutes; empty for the gateway's own checks",
  }),
  level: oneOf(['must', 'should', 'may'], 'Only a `must` decides the verdict'),
  own: Type.Optional(ownSource),
}

const cut = Type.Optional(count('Original length of a body or text that was truncated'))
const subject = Type.Optional(flag('The request that the verdict is about'))
const phase = Type.Optional(oneOf(['twin', 'cleanup'], 'Absent in the main part of the check'))
const seenAt = Type.Number({ description: 'Milliseconds since the start of the run' })
const request = Type.Object(
  {
    method: name('Of HTTP'),
    url: text('Where it was sent'),
    headers,
    body: text('As sent'),
    key: Type.Optional(name('Environment variable that holds the API key')),
    keyHeader: Type.Optional(name('The header of the key, where it is not `authorization`')),
  },
  { description: 'What was sent' },
)
const evidence = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('exchange', { description: 'A request and its response' }),
      at: seenAt,
      request,
      status: Type.Integer({ description: 'Of HTTP' }),
      headers,
      body: text('Of the response'),
      ms: Type.Number({ description: 'Duration' }),
      cut,
      phase,
      subject,
    }),
    Type.Object({
      kind: Type.Literal('unanswered', { description: 'A request without a readable response' }),
      at: seenAt,
      request,
      why: text('Cause'),
      accepted: Type.Boolean({ description: 'It may have reached the other side' }),
      ms: Type.Number({ description: 'Duration' }),
      cut,
      phase,
      subject,
    }),
    Type.Object({
      kind: Type.Literal('frame', { description: 'A message on the WebSocket' }),
      at: seenAt,
      from: oneOf(['gateway', 'suite'], 'Who sent it'),
      text: text('The message'),
      cut,
      phase,
      subject,
    }),
    Type.Object({
      kind: Type.Literal('webhook', { description: 'A notification that arrived' }),
      at: seenAt,
      path: text('Of the receiver'),
      headers,
      body: text('As received'),
      answered: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Status of the response of the receiver; null if it sent none',
      }),
      cut,
      phase,
      subject,
    }),
    Type.Object({
      kind: Type.Literal('block', { description: 'A block of the chain' }),
      at: seenAt,
      number: count('Of the block'),
      phase,
      subject,
    }),
  ],
  { description: 'One observation during a check' },
)

const runStarted = Type.Object(
  {
    type: Type.Literal('run-started'),
    version: Type.Integer({ description: 'Of the format of the log' }),
    at,
    seed: Type.String({ pattern: '^0x[0-9a-f]{1,8}$', description: 'As `--seed` takes it' }),
    effort: Type.Number({ description: 'Multiplies the runs of property checks' }),
    fullMatrix: Type.Optional(flag('Every case of the parameter matrix, not a sample')),
    target: text('Name of the target: of its file, `local`, or its URL as given'),
    targetFile: Type.Optional(text('Of the target, relative to the repository')),
    gatewayUrl: text('Address of the gateway'),
    suite: name('Name and version of the suite'),
    capabilities: Type.Array(name('Name'), { description: 'Capabilities that the target has' }),
    missing: Type.Record(Type.String(), Type.String(), {
      description: 'Capabilities that it lacks, each with the reason',
    }),
    blockMs: Type.Optional(ms('Time between blocks of the chain; 0: mined on demand')),
    checks: Type.Array(Type.Object(planned), {
      maxItems: 100_000,
      description: 'The plan; a check without a `check-finished` proves nothing',
    }),
    of: Type.Optional(
      count('Checks of the claimed profiles, where only some of them were selected'),
    ),
    shard: Type.Optional(
      Type.Object(
        {
          index: count('From 1'),
          count: count('Number of shards'),
          others: Type.Array(Type.Object(planned), { description: 'Checks of the other shards' }),
        },
        { description: 'The part of the selected checks that this run executes' },
      ),
    ),
    profiles: Type.Optional(
      Type.Array(oneOf(profiles, 'A part of the service'), {
        description: 'The profiles that the target claims; absent: all',
      }),
    ),
    notClaimed: Type.Optional(count('Checks that are not planned: they belong to other profiles')),
    waived: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Capabilities that the target file waives, each with the reason',
      }),
    ),
    identity: Type.Optional(
      Type.Object(
        {
          maker: Type.Optional(text('Vendor')),
          release: Type.Optional(text('Version')),
          image: Type.Optional(text('Name of the container image')),
          digest: Type.Optional(text('Digest of the image')),
        },
        { description: 'Vendor and version of the target' },
      ),
    ),
    baseline: Type.Optional(
      Type.Array(
        Type.Object({
          check: name('Id'),
          expires: text('The last day on which it applies'),
          reason: Type.Optional(text('Why it is accepted')),
          owner: Type.Optional(text('Who repairs it')),
          issue: Type.Optional(text('Where it is tracked')),
        }),
        { description: 'Failures that are known and expected' },
      ),
    ),
  },
  { description: 'The first line: the plan, the target and what it has' },
)

const checkFinished = Type.Object(
  {
    type: Type.Literal('check-finished'),
    ...planned,
    verdict: oneOf(
      ['passed', 'failed', 'untestable', 'not-applicable'],
      'Only `passed` proves something',
    ),
    ms: ms('Duration'),
    reason: Type.Optional(text('In one line what is wrong, or why it did not run')),
    outage: Type.Optional(
      Type.Object(
        { at: seenAt, why: text('Cause') },
        { description: 'It has no result because the gateway stopped answering' },
      ),
    ),
    lacks: Type.Optional(
      Type.Array(name('Capability'), {
        description: 'What it needs and the target lacks or waives: it did not run',
      }),
    ),
    cut: Type.Optional(oneOf(['budget', 'read-only'], 'The limit of the run that left it out')),
    overload: Type.Optional(text('It came too late to judge, on an overloaded machine')),
    call: Type.Optional(text('What the failure is about: a method, a path, a topic or a webhook')),
    sent: Type.Optional(text('What was sent to it, shortened')),
    expected: Type.Optional(text('What the specification requires')),
    observed: Type.Optional(text('What the target did')),
    twin: Type.Optional(
      Type.Object(
        { name: text('Of the twin'), accepted: Type.Boolean({ description: 'It was accepted' }) },
        { description: 'The valid request next to a refused one' },
      ),
    ),
    counterexample: Type.Optional(text('The smallest failing case of a property')),
    curl: Type.Optional(text('The request that failed, as a shell line; keys as `$SVC_KEY_READ`')),
    observations: Type.Optional(
      Type.Array(text('One observation'), {
        description: 'How the target behaves on open points: never a verdict',
      }),
    ),
    matrix: Type.Optional(
      Type.Object(
        { tried: count('Tried'), of: count('Of the full matrix') },
        { description: 'Cases of the parameter matrix' },
      ),
    ),
    exchanges: count('Number of exchanges'),
    refusals: count('Responses with 401 or 403'),
    at: seenAt,
    evidence: Type.Array(evidence, {
      maxItems: 1_000,
      description: 'The first and the last observations',
    }),
    failedCase: Type.Optional(
      Type.Array(evidence, {
        maxItems: 1_000,
        description: 'Evidence of the smallest failing case of a property',
      }),
    ),
    evidenceDropped: count('Observations that were dropped'),
  },
  { description: 'The result of one check, in the order of completion' },
)

const runFinished = Type.Object(
  {
    type: Type.Literal('run-finished'),
    at,
    ms: ms('Duration of the run'),
    interrupted: Type.Boolean({ description: 'It was stopped' }),
    broken: Type.Optional(
      Type.Array(text('One error'), {
        description: 'Errors outside any check: the suite is broken',
      }),
    ),
    load: Type.Optional(
      Type.Object(
        {
          begin: Type.Number({ description: 'At the start' }),
          end: Type.Number({ description: 'At the end' }),
          processors: Type.Integer({ description: 'Of the machine' }),
        },
        { description: 'Processes that ran or waited for a processor, on average over a minute' },
      ),
    ),
    bail: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The number of failures after which it was stopped',
      }),
    ),
    code: Type.Union(
      [0, 1, 2, 3, 130].map((code) => Type.Literal(code)),
      { description: 'Exit code of the run' },
    ),
    reason: Type.Optional(text('Why the code is not 0')),
  },
  { description: 'The last line; a log without it is of a run that was killed' },
)

/**
 * By the `type` of a line, so that an error names the wrong member instead of every other variant.
 */
export const eventSchemas = {
  'run-started': runStarted,
  'check-finished': checkFinished,
  'run-finished': runFinished,
}
