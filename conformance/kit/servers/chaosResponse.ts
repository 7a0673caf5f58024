import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Chaos, type ChaosFault, chance } from './chaos.ts'
import { atBlock, withResult } from './jsonCalls.ts'

/** The response of the upstream. */
export type Answered = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** One affected request. */
export type FaultyExchange = {
  readonly chaos: Chaos
  /** Its number since the fault was set. */
  readonly nth: number
  readonly body: Buffer
  readonly response: ServerResponse
  /** Forwards to the upstream. */
  readonly forward: (body: Buffer) => Promise<Answered>
  /** The block at which the fault was set. */
  readonly block: string
}

/** An id of no chain under test. */
const otherChain = '0xdead'

/** Returns a response. */
export function give(response: ServerResponse, { status, headers, body }: Answered): void {
  const { 'transfer-encoding': _coding, connection: _connection, ...rest } = headers
  response.writeHead(status, { ...rest, 'content-length': body.length })
  response.end(body)
}

function drip(response: ServerResponse, { status, headers, body }: Answered, everyMs: number) {
  const type = headers['content-type'] ?? 'application/json'
  response.writeHead(status, { 'content-type': type, 'content-length': body.length })
  let at = 0
  const timer = setInterval(() => {
    if (at < body.length) response.write(body.subarray(at, ++at))
    else response.end()
  }, everyMs)
  response.once('close', () => clearInterval(timer))
}

const half = (body: Buffer) => body.subarray(0, Math.floor(body.length / 2))

function late(
  { chaos: { seed }, nth, response }: FaultyExchange,
  trouble: { ms: number; jitterMs?: number },
  answer: Answered,
) {
  const ms = trouble.ms + (trouble.jitterMs ?? 0) * chance(seed, 'late', nth)
  const timer = setTimeout(() => give(response, answer), ms)
  response.once('close', () => clearTimeout(timer))
}

function reset(response: ServerResponse, { status, body }: Answered): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length })
  response.write(half(body), () => response.socket?.resetAndDestroy())
}

/** Applies a fault to the upstream's response. */
function spoil(troubled: FaultyExchange, trouble: ChaosFault, answer: Answered): void {
  const { response, body } = troubled
  if (trouble.kind === 'late') late(troubled, trouble, answer)
  else if (trouble.kind === 'drip') drip(response, answer, trouble.everyMs)
  else if (trouble.kind === 'reset') reset(response, answer)
  else give(response, { ...answer, body: spoiled(trouble, body, answer.body) })
}

function spoiled({ kind }: ChaosFault, asked: Buffer, body: Buffer): Buffer {
  if (kind === 'garbage') return half(body)
  if (kind === 'doubled') return Buffer.concat([body, body])
  return kind === 'wrong-chain' ? withResult(asked, body, 'eth_chainId', otherChain) : body
}

/** Applies a fault to a request. Rejects if the upstream does not answer. */
export async function injectFault(troubled: FaultyExchange): Promise<void> {
  const { chaos, body, response, forward, block } = troubled
  const { trouble } = chaos
  if (trouble.kind === 'black-hole') return
  if (trouble.kind === 'dropped') {
    response.socket?.destroy()
    return
  }
  if (trouble.kind === 'status') {
    response.writeHead(trouble.status, { 'content-type': 'text/plain' }).end('in trouble')
    return
  }
  if (trouble.kind === 'stale-block') {
    const answer = await forward(atBlock(body, block))
    give(response, { ...answer, body: withResult(body, answer.body, 'eth_blockNumber', block) })
    return
  }
  if (trouble.kind === 'twice') await forward(body)
  spoil(troubled, trouble, await forward(body))
}
