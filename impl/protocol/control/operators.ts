import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32 } from '../scalars.ts'

/** Longest delay of an operator's answers, milliseconds. */
export const maxDelayMs = 60_000

/**
 * What is wrong with an operator of a local stack:
 *
 * - `delay`: every answer comes `delayMs` later
 * - `lie-data`: it reports other oracle data than it observed, and refuses to sign over it
 * - `lie-decision`: it returns the opposite decision. A false denial is signed as such; a false
 *   `allow` is signed over the true decision, so that no attestation can be made of it
 * - `refuse`: it refuses every request
 */
export const OperatorFault = Type.Union([
  Type.Object(
    { kind: Type.Literal('delay'), delayMs: Type.Integer({ minimum: 1, maximum: maxDelayMs }) },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Union([
        Type.Literal('none'),
        Type.Literal('lie-data'),
        Type.Literal('lie-decision'),
        Type.Literal('refuse'),
      ]),
    },
    { additionalProperties: false },
  ),
])
export type OperatorFault = Static<typeof OperatorFault>

/** What an operator did for the latest tasks of the stack. */
export const OperatorActivity = Type.Object({
  /** The latest tasks, oldest first. */
  recent: Type.Array(
    Type.Object({
      /** When its first operator was asked to sign, unix milliseconds. */
      at: Type.Integer(),
      /** Duration of this operator's signature in milliseconds; null where it did not sign. */
      ms: Type.Union([Type.Number(), Type.Null()]),
      /** As counted below. */
      outcome: Type.Union([
        Type.Literal('agreed'),
        Type.Literal('differed'),
        Type.Literal('missed'),
      ]),
    }),
  ),
  /** Of their signatures; null without one. */
  p50: Type.Union([Type.Number(), Type.Null()]),
  p99: Type.Union([Type.Number(), Type.Null()]),
  /** Tasks in which its data was part of the settled data, and its result the one with most stake. */
  agreed: Type.Integer(),
  /** Tasks in which its data was left out, or its result was another. */
  differed: Type.Integer(),
  /** Tasks that it did not sign: stopped, refused, failed or late. */
  missed: Type.Integer(),
  /** The data that it reported last; null if it reported none, or if that is too long. */
  reported: Type.Union([
    Type.Object({
      policyClient: Address,
      /** Unix milliseconds. */
      at: Type.Integer(),
      /** JSON text of the output of each oracle. */
      outputs: Type.Array(Type.String()),
    }),
    Type.Null(),
  ]),
})
export type OperatorActivity = Static<typeof OperatorActivity>

/** An element of `GET /operators`. */
export const OperatorReport = Type.Object({
  index: Type.Integer(),
  address: Address,
  id: Bytes32,
  running: Type.Boolean(),
  /** Process id of an operator in a process of its own. */
  pid: Type.Optional(Type.Integer()),
  /** Stake in the default quorum, decimal; null while the node does not answer. */
  stake: Type.Union([Type.String(), Type.Null()]),
  /** Whether it is in the default quorum on chain; null while the node does not answer. */
  registered: Type.Union([Type.Boolean(), Type.Null()]),
  fault: OperatorFault,
  /** Why faults cannot be set; absent if they can. */
  noFaults: Type.Optional(Type.String()),
  /** Absent where the stack does not record what operators do. */
  activity: Type.Optional(OperatorActivity),
})
export type OperatorReport = Static<typeof OperatorReport>

/** Stake that counts towards a quorum, decimal, and whether the quorum holds with it. */
export const QuorumStanding = Type.Object({ stake: Type.String(), holds: Type.Boolean() })
export type QuorumStanding = Static<typeof QuorumStanding>

/** Answer of `GET /operators/quorum`, at a threshold in percent. */
export const QuorumReport = Type.Object({
  quorumNumber: Type.Integer(),
  threshold: Type.Integer(),
  total: Type.String(),
  /** The least stake with which the quorum holds. */
  required: Type.String(),
  /** With the operators that run and sign truthfully. */
  now: QuorumStanding,
  /** By index of the operator. */
  operators: Type.Array(
    Type.Object({
      index: Type.Integer(),
      stake: Type.String(),
      /** Whether its stake counts now. */
      counts: Type.Boolean(),
      /** If it were stopped, lying or refusing. */
      without: QuorumStanding,
      /** If it were running without a fault. */
      with: QuorumStanding,
    }),
  ),
})
export type QuorumReport = Static<typeof QuorumReport>
