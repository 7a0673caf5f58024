import { trace } from '@opentelemetry/api'
import type { WebSocket } from 'ws'
import { attribute } from './attributes.ts'
import type { TaskTraces } from './taskTraces.ts'
import type { Tracing } from './tracing.ts'

/** Messages that have a span: those about a task. The text is the service's own. */
const aboutTask = /^\{"type":"(?:update|notification)"/
const taskIdIn = /"task_id":"(0x[0-9a-fA-F]{64})"/
const eventIn = /"event":"(\w{1,40})"/

/**
 * A socket with a span for each update that it sends, in the trace of the task, linked to the span of the
 * handshake. Updates of tasks that another process executes are in the trace of the handshake.
 */
export function tracedSocket(tracing: Tracing, traces: TaskTraces, socket: WebSocket): WebSocket {
  const handshake = tracing.activeContext()
  const opened = trace.getSpanContext(handshake)
  const send = socket.send.bind(socket) as (...args: unknown[]) => void
  const traced = (...args: unknown[]): void => {
    const [text] = args
    if (typeof text === 'string' && aboutTask.test(text)) note(text)
    send(...args)
  }
  socket.send = traced as WebSocket['send']
  return socket

  function note(text: string): void {
    const [, taskId] = taskIdIn.exec(text) ?? []
    if (taskId === undefined) return
    const [, event = 'notification'] = eventIn.exec(text) ?? []
    tracing.ended('send update', {
      parent: traces.known(taskId) ?? handshake,
      attributes: { [attribute.taskId]: taskId, [attribute.update]: event },
      links: opened === undefined ? [] : [{ context: opened }],
    })
  }
}
