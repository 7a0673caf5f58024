import { Ajv } from 'ajv'
import { wireBrand } from 'polgate-protocol/brand.ts'
import { bareHexKeyword } from 'polgate-protocol/scalars.ts'
import { describe, expect, it } from 'vitest'
import { openRpcDocument } from './openRpc.ts'

const document = openRpcDocument(wireBrand('acme'), '1') as {
  'x-websocket': { clientMessages: object[]; serverMessages: object[] }
  components: { schemas: Record<string, object> }
}
const { 'x-websocket': socket, components } = document

const ajv = new Ajv({ strict: true })
ajv.addVocabulary(['components'])
ajv.addKeyword({ keyword: bareHexKeyword, schemaType: 'boolean' })
const accepts = (schemas: object[], message: unknown) =>
  schemas.filter((schema) => ajv.compile({ allOf: [schema], components })(message)).length

describe('the WebSocket in the self-description', () => {
  it('contains its address and the topic of the brand', () => {
    expect(socket).toMatchObject({ path: '/ws', topic: 'acme.task.{task_id}' })
  })

  it('matches each client message with exactly one schema', () => {
    const messages = [
      { type: 'subscribe', id: 'a', method: 'acme.task.0x', params: null },
      { type: 'unsubscribe', id: 'a', subscription: 's' },
    ]
    for (const message of messages) expect(accepts(socket.clientMessages, message)).toBe(1)
    expect(accepts(socket.clientMessages, { type: 'publish', id: 'a' })).toBe(0)
  })

  it('matches each gateway message with exactly one schema', () => {
    const task_id = `0x${'ab'.repeat(32)}`
    const data = { status: 'processing', operator_responses: [], result: null, progress: 10 }
    const messages = [
      { type: 'subscribed', id: 'a', subscription: 's' },
      { type: 'unsubscribed', id: null, subscription: 's' },
      { type: 'error', id: 7, error: { code: -32602, message: 'Unknown task' } },
      {
        type: 'update',
        subscription: 's',
        result: { event: 'status_update', task_id, timestamp: 1, data },
      },
      {
        type: 'notification',
        subscription: 's',
        result: {
          notification_id: 'n',
          task_id,
          timestamp: '2026-01-01T00:00:00.000Z',
          failure_type: 'timeout',
          error_message: 'Task timeout',
          context: {},
          is_recoverable: true,
          retry_after_seconds: 5,
        },
      },
    ]
    for (const message of messages) expect(accepts(socket.serverMessages, message)).toBe(1)
  })
})
