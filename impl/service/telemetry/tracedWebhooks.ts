import type { Link, SpanContext } from '@opentelemetry/api'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Send } from '../webhooks/sender.ts'
import { attribute } from './attributes.ts'
import type { TaskTraces } from './taskTraces.ts'
import { recordFailure, type Tracing } from './tracing.ts'

/** Notifications whose last attempt is remembered, for the link of the next one. */
const maxRemembered = 1_000

/**
 * Delivery attempts in the traces of the tasks, each linked to the previous one. The receiver gets
 * `traceparent`. Of the URL only the host is recorded.
 */
export function tracedSend(tracing: Tracing, traces: TaskTraces, send: Send): Send {
  const last = new Map<string, SpanContext>()

  return async (delivery) => {
    const { target, body, headers, attempt } = delivery
    const told = JSON.parse(Buffer.from(body).toString('utf8')) as TaskFailureNotification
    const { task_id: taskId, notification_id: id } = told
    const parent = (await traces.find([taskId])).get(taskId.toLowerCase())
    if (parent === undefined) return await send(delivery)
    const before = last.get(id)
    const links: Link[] = before === undefined ? [] : [{ context: before }]
    return await tracing.span(
      'deliver webhook',
      {
        kind: 'client',
        parent,
        links,
        attributes: {
          'http.request.method': 'POST',
          'server.address': target.url.host,
          [attribute.taskId]: taskId,
          [attribute.notificationId]: id,
          [attribute.failureType]: told.failure_type,
          [attribute.attempt]: attempt,
        },
      },
      async (span) => {
        remember(id, span.spanContext())
        const answer = await send({ ...delivery, headers: { ...headers, ...tracing.headers() } })
        const { status } = answer
        span.setAttribute('http.response.status_code', status)
        if (status < 200 || status >= 300)
          recordFailure(span, { type: String(status), message: '' })
        return answer
      },
    )
  }

  function remember(id: string, span: SpanContext): void {
    last.delete(id)
    last.set(id, span)
    if (last.size <= maxRemembered) return
    const [oldest] = last.keys()
    last.delete(oldest as string)
  }
}
