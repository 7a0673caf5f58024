import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Bytes32 } from 'polgate-protocol/scalars.ts'
import { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import { largestMessage } from '../../store/channel.ts'

const PeerUpdate = Type.Object({
  kind: Type.Literal('update'),
  update: TaskUpdate,
  /** Number of responses in the full update, if this message contains only the last one. */
  of: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type PeerUpdate = Static<typeof PeerUpdate>

/** A message between gateways. */
const PeerMessage = Type.Object({
  sender: Type.String({ minLength: 1, maxLength: 64 }),
  /** Increases with each message of a sender. */
  number: Type.Integer({ minimum: 1 }),
  news: Type.Union([Type.Object({ kind: Type.Literal('stored'), taskId: Bytes32 }), PeerUpdate]),
})
export type PeerMessage = Static<typeof PeerMessage>

const message = TypeCompiler.Compile(PeerMessage)

/**
 * One line. An update that is too large for a database notification is sent with its last response
 * only; receivers of the previous update have the others. Undefined if that is too large as well.
 */
export function writeMessage(whole: PeerMessage): string | undefined {
  const text = JSON.stringify(whole)
  const { news } = whole
  if (fits(text) || news.kind === 'stored') return text
  const { data } = news.update
  const of = data.operator_responses.length
  const update = {
    ...news.update,
    data: { ...data, operator_responses: data.operator_responses.slice(-1) },
  }
  const short = JSON.stringify({ ...whole, news: { kind: 'update', update, of } })
  return fits(short) ? short : undefined
}

const fits = (text: string): boolean => Buffer.byteLength(text) < largestMessage

/** Undefined for invalid messages, such as those of other users of the channel name. */
export function readMessage(text: string): PeerMessage | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return message.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The full update, if the omitted responses are known; else undefined. */
export function completed(
  { update, of }: PeerUpdate,
  before: TaskUpdate | undefined,
): TaskUpdate | undefined {
  if (of === undefined) return update
  const known = before?.data.operator_responses ?? []
  if (known.length !== of - 1) return undefined
  const operator_responses = [...known, ...update.data.operator_responses]
  return { ...update, data: { ...update.data, operator_responses } }
}
