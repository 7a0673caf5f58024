import { openSocket } from '#socket'
import type { BaseClient } from '../client/createBaseClient.ts'
import { ForbiddenError, UnauthorizedError } from '../errors/accessErrors.ts'
import { TaskNotFoundError } from '../errors/taskErrors.ts'
import { ResponseMalformedError, UnexpectedStatusError } from '../errors/transportErrors.ts'
import type { ErrorMessage, NotificationMessage, UpdateMessage } from '../generated/rpcTypes.ts'
import type { Hex } from '../hex.ts'
import { errorOfAnswer } from '../rpc/errorOfAnswer.ts'
import { retryAfterMs } from '../transport/retryAfter.ts'
import { uuid } from '../transport/uuid.ts'
import { readMessage } from './readMessage.ts'
import type { Socket, SocketEnd } from './socket.ts'

/** How a connection ended, other than by `close`. */
export type SessionEnd = {
  /** Another connection would end in the same way. */
  readonly fatal: boolean
  /** Whether the subscription had worked. */
  readonly worked: boolean
  readonly retryAfterMs?: number | undefined
  readonly cause: unknown
}

export type SessionOptions = {
  readonly client: BaseClient
  readonly taskId: Hex
  readonly key: string
  readonly connectTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly message: (message: UpdateMessage | NotificationMessage) => void
  readonly end: (end: SessionEnd) => void
}

/** Codes after which another attempt may work: rate limits and faults of the server. */
const transientCodes: readonly number[] = [-32005, -32603]

/**
 * One connection with one subscription (sections 4.11, 6.1, decisions W1 to W5). Ends by itself, so
 * that it can be made again, when nothing arrives for a while: a broken connection is silent, and a
 * new one costs little.
 */
export function openTaskSession(options: SessionOptions): { close(): void } {
  const { client, taskId, connectTimeoutMs, idleTimeoutMs } = options
  const topic = `${client.brand.topicPrefix}${taskId}`
  const metaMessages = [`Task: ${taskId}`]
  const id = uuid()
  let worked = false
  let closed = false
  let timer: ReturnType<typeof setTimeout>

  const end = (fatal: boolean, cause: unknown, retryAfter?: number) => {
    if (closed) return
    close()
    options.end({ fatal, worked, cause, retryAfterMs: retryAfter })
  }
  const close = () => {
    closed = true
    clearTimeout(timer)
    socket.close()
  }
  const wait = (ms: number, what: string) => {
    clearTimeout(timer)
    timer = setTimeout(() => end(false, new Error(`${what} within ${ms} ms`)), ms)
  }

  const refused = ({ error }: ErrorMessage) => {
    const data = error.data as { retry_after_seconds?: unknown } | null | undefined
    const seconds = data?.retry_after_seconds
    const asked = typeof seconds === 'number' ? seconds * 1000 : undefined
    const context = { metaMessages, details: error.message }
    if (transientCodes.includes(error.code))
      return end(false, errorOfAnswer('subscribe', { status: 200, error }, context), asked)
    if (/^Unknown task/i.test(error.message)) return end(true, new TaskNotFoundError({ taskId }))
    end(true, errorOfAnswer('subscribe', { status: 200, error }, context))
  }

  const receive = (text: string) => {
    if (closed) return
    const message = readMessage(text)
    if (message === 'malformed') {
      worked = false
      return end(false, new ResponseMalformedError('a message is not one of the gateway'))
    }
    if (message?.type === 'error') {
      if (message.id === id) refused(message)
      return
    }
    const isOurs =
      message?.type === 'update' || message?.type === 'notification'
        ? message.result.task_id.toLowerCase() === taskId.toLowerCase()
        : message?.type === 'subscribed' && message.id === id
    // The answer to `subscribe` is open (decision W3): an update of the task shows as well that it works.
    if (isOurs) worked = true
    if (worked) wait(idleTimeoutMs, 'the gateway sent nothing')
    if (isOurs && (message?.type === 'update' || message?.type === 'notification'))
      options.message(message)
  }

  const ended = ({ code, status, retryAfter, cause }: SocketEnd) => {
    const asked = retryAfterMs(retryAfter)
    if (code === 4001 || status === 401) return end(true, new UnauthorizedError({ metaMessages }))
    if (status === 403) return end(true, new ForbiddenError({ metaMessages }))
    if (status !== undefined) return end(false, new UnexpectedStatusError(status), asked)
    end(false, cause ?? new Error(`closed with code ${code}`), asked)
  }

  const socket: Socket = openSocket(
    { url: client.socketUrl, key: options.key, maxMessageBytes: client.maxResponseBytes },
    {
      open: () =>
        socket.send(JSON.stringify({ type: 'subscribe', id, method: topic, params: null })),
      message: receive,
      end: ended,
    },
  )
  wait(connectTimeoutMs, 'the subscription was not answered')
  return { close }
}
