import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json as readJson } from 'node:stream/consumers'
import { foreignCaller } from 'polgate-protocol/localCaller.ts'
import { listening } from '../wire/listening.ts'
import type { Environment } from './environment.ts'

/**
 * The control listener of a run whose environment the suite provides: it changes the oracles' data
 * and the blocks of the chain itself, and forwards everything else to the gateway's control
 * listener, if there is one.
 */
export async function startSuiteControl(
  bed: Pick<Environment, 'setOracleData' | 'mine'>,
  gatewayControlUrl: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const answer = (response: ServerResponse, status: number, body: unknown) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body))

  const own = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url } = request
    if (url === '/world' && method === 'GET') return answer(response, 200, { ok: true })
    const body = ((await readJson(request).catch(() => ({}))) ?? {}) as { blocks?: number }
    if (url === '/world') bed.setOracleData(body)
    else await bed.mine(body.blocks ?? 1)
    return answer(response, 200, { ok: true })
  }

  const passOn = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method = 'GET' } = request
    const given = await fetch(`${gatewayControlUrl}${request.url}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      signal: AbortSignal.timeout(15_000),
    })
    response.writeHead(given.status, { 'content-type': 'application/json' })
    response.end(await given.text())
  }

  const server = createServer((request, response) => {
    const foreign = foreignCaller(request.headers, request.socket.localPort ?? 0)
    if (foreign !== undefined) return answer(response, 403, { error: foreign })
    const mine = request.url === '/world' || request.url === '/chain/mine'
    const handled = mine ? own(request, response) : passOn(request, response)
    handled.catch(() => answer(response, 404, { error: 'the gateway has no control listener' }))
  })
  return listening(server)
}
