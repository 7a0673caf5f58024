import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32, Nullable } from '../scalars.ts'

/** Answers of the control API about decisions that were made, and how they would be made now. */

/** Body of `POST /clients/:address/redecide`; absent members are those of the client now. */
export const RedecideBody = Type.Object(
  {
    /** A deployed policy: its source, entrypoint and schema. */
    policyAddress: Type.Optional(Address),
    /** JSON text of an object. */
    params: Type.Optional(Type.String({ maxLength: 256 * 1024 })),
    /** Rego. */
    policySource: Type.Optional(Type.String({ maxLength: 512 * 1024 })),
    /** Of `policySource`, `package.rule`. */
    entrypoint: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  },
  { additionalProperties: false },
)
export type RedecideBody = Static<typeof RedecideBody>

/** What a policy decided: every value that does not allow denies. */
const Decision = Type.Object({
  outcome: Type.Union([
    Type.Literal('allow'),
    Type.Literal('deny'),
    /** No decision was made: a task that failed. Never an allow. */
    Type.Literal('error'),
  ]),
  /** The `deny` texts, sorted. */
  reasons: Type.Array(Type.String()),
  error: Nullable(Type.String()),
})
export type Decision = Static<typeof Decision>

export const RedecidedTask = Type.Object({
  taskId: Bytes32,
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  /** Null while the task runs. */
  before: Nullable(Decision),
  /** Null where it could not be decided again; `unknown` says why. */
  after: Nullable(Decision),
  /** Why a task was not decided again: its data are not known, or the time was up. */
  unknown: Nullable(Type.String()),
  changed: Type.Boolean(),
})
export type RedecidedTask = Static<typeof RedecidedTask>

export const RedecideAnswer = Type.Object({
  /** The latest first, at most 100. */
  tasks: Type.Array(RedecidedTask),
  /** Why the service refuses the parameters; then it decides nothing with them. */
  paramsProblem: Nullable(Type.String()),
  counts: Type.Object({
    tasks: Type.Integer(),
    changed: Type.Integer(),
    /** Denied before, allowed now. */
    newlyAllowed: Type.Integer(),
    /** Allowed before, denied now. */
    newlyDenied: Type.Integer(),
    errors: Type.Integer(),
    unknown: Type.Integer(),
  }),
})
export type RedecideAnswer = Static<typeof RedecideAnswer>

/** Everything that a task was decided with: `GET /tasks/:id/evaluation`. */
export const TaskEvaluation = Type.Object({
  taskId: Bytes32,
  policyClient: Address,
  /** Rego; null where its content is not known any more. */
  source: Nullable(Type.String()),
  /** `package.rule` */
  entrypoint: Type.String(),
  /** JSON text. */
  input: Type.String(),
  params: Type.String(),
  paramsSchema: Nullable(Type.String()),
  /** JSON text of the settled output of each oracle, in order. */
  data: Type.Array(Type.String()),
  /** Unix milliseconds, the clock of the policy. */
  now: Type.Integer(),
})
export type TaskEvaluation = Static<typeof TaskEvaluation>
