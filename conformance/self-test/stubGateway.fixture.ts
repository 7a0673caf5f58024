import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Keys of the stub by what they may do. */
export const stubKeys = {
  read: 'stub-key-that-reads-0001',
  write: 'stub-key-that-writes-0002',
  rpc: 'stub-key-with-both-0003',
  none: 'stub-key-with-nothing-0004',
  expired: 'stub-key-that-expired-0005',
}

const reading: readonly string[] = [stubKeys.read, stubKeys.rpc]
const known: readonly string[] = [...reading, stubKeys.write, stubKeys.none]

const suite = 'HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305'
const publicKey = { public_key: '5e'.repeat(32), key_type: 'x25519', encryption_suite: suite }

type Answer = { readonly status: number; readonly body: unknown }

function failure(code: number, message: string, id: unknown = null, status = 200): Answer {
  return { status, body: { jsonrpc: '2.0', error: { code, message }, id } }
}

const isId = (id: unknown) => ['string', 'number', 'undefined'].includes(typeof id) || id === null

/** One call: constants, and the errors of section 7.1. It has no tasks, chain, explorer or stored secrets. */
function answerTo(call: unknown, key: string): Answer {
  if (typeof call !== 'object' || call === null || Array.isArray(call))
    return failure(-32600, 'Invalid request')
  const { jsonrpc, method, params, id } = call as Record<string, unknown>
  const isRequest = jsonrpc === '2.0' && typeof method === 'string' && isId(id)
  const hasParams = params === undefined || params === null || typeof params === 'object'
  if (!isRequest || !hasParams)
    return failure(-32600, 'Invalid request', isId(id) ? (id ?? null) : null)
  if (method !== 'svc_getSecretsPublicKey') return failure(-32601, 'Method not found', id ?? null)
  if (!reading.includes(key)) return failure(-32001, 'RpcRead permission required', id ?? null, 403)
  if (Array.isArray(params) && params.length > 0)
    return failure(-32602, 'Invalid request format: params', id ?? null)
  return { status: 200, body: { jsonrpc: '2.0', result: publicKey, id: id ?? null } }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

async function respond(request: IncomingMessage): Promise<Answer> {
  const text = await textOf(request)
  if (request.url !== '/rpc') return { status: 404, body: 'not found' }
  const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!known.includes(key)) return failure(-32001, 'Invalid API key', null, 401)
  try {
    return answerTo(JSON.parse(text), key)
  } catch {
    return failure(-32700, 'Parse error')
  }
}

/** A gateway of a few lines that does only what the profile `base` requires, with constant keys. */
export async function startStub(): Promise<{
  readonly url: string
  readonly close: () => Promise<void>
}> {
  const server: Server = createServer((request, response) => {
    void respond(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, close }
}
