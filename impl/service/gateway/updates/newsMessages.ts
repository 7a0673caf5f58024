import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Bytes32 } from 'polgate-protocol/scalars.ts'
import { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import { largestMessage } from '../../store/channel.ts'

const UpdateNews = Type.Object({
  kind: Type.Literal('update'),
  update: TaskUpdate,
  /** How many responses the whole update has; then it holds the last of them only. */
  of: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type UpdateNews = Static<typeof UpdateNews>

/** What one gateway tells the others. */
const NewsMessage = Type.Object({
  sender: Type.String({ minLength: 1, maxLength: 64 }),
  /** Counts up with each message of a sender. */
  number: Type.Integer({ minimum: 1 }),
  news: Type.Union([Type.Object({ kind: Type.Literal('stored'), taskId: Bytes32 }), UpdateNews]),
})
export type NewsMessage = Static<typeof NewsMessage>

const message = TypeCompiler.Compile(NewsMessage)

/**
 * One line. An update that is too large for a notification goes with its last response alone: whoever
 * heard the one before it has the others. Undefined when that is too large, too; a later one may fit.
 */
export function writeMessage(whole: NewsMessage): string | undefined {
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

/** Undefined for what is none: whoever else uses the name of the channel is not listened to. */
export function readMessage(text: string): NewsMessage | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return message.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The whole update, where what it leaves out is known; undefined where it is not. */
export function completed(
  { update, of }: UpdateNews,
  before: TaskUpdate | undefined,
): TaskUpdate | undefined {
  if (of === undefined) return update
  const known = before?.data.operator_responses ?? []
  if (known.length !== of - 1) return undefined
  const operator_responses = [...known, ...update.data.operator_responses]
  return { ...update, data: { ...update.data, operator_responses } }
}
