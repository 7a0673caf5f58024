import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Target } from 'polgate-conformance/core/target.ts'
import { comparedBlocks } from 'polgate-conformance/targets/blockTime.ts'
import { chainCall } from 'polgate-conformance/targets/chainCall.ts'
import type { PreparedTarget } from 'polgate-conformance/targets/target.ts'
import type { Variant } from './variant.ts'

/** Proxies in front of a gateway and its explorer, as others operate them. */

type Give = (
  answer: { readonly incoming: IncomingMessage; readonly body: Buffer },
  response: ServerResponse,
) => Promise<void> | void

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Headers of a connection are not those of the next. */
function onward({ headers }: IncomingMessage) {
  const { connection: _, 'transfer-encoding': __, 'content-length': ___, ...rest } = headers
  return rest
}

/** Forwards requests to a URL; `give` writes the answers. WebSockets pass unchanged. */
async function startProxy(upstream: string, give: Give) {
  const to = new URL(upstream)
  const sockets = new Set<Socket>()
  const forward = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(incoming)
    const headers = { ...onward(incoming), host: to.host, 'content-length': body.length }
    const options = { method: incoming.method, headers, agent: false as const }
    const outgoing = request(new URL(incoming.url ?? '/', to), options)
    outgoing.once('error', () => response.destroy())
    outgoing.once('response', (answer) => {
      bodyOf(answer)
        .then((bytes) => give({ incoming: answer, body: bytes }, response))
        .catch(() => response.destroy())
    })
    outgoing.end(body)
  }
  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const other = connect(Number(to.port), to.hostname, () => {
      const lines = [`GET ${incoming.url} HTTP/1.1`]
      for (let at = 0; at < incoming.rawHeaders.length; at += 2)
        lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`)
      other.write(`${lines.join('\r\n')}\r\n\r\n`)
      other.write(head)
      other.pipe(socket)
      socket.pipe(other)
    })
    for (const [one, peer] of [
      [socket, other],
      [other, socket],
    ] as const) {
      one.on('error', () => peer.destroy())
      one.on('close', () => peer.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await new Promise<void>((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const behind =
  (give: Give) =>
  async (target: Target): Promise<PreparedTarget> => {
    const gateway = await startProxy(target.gatewayUrl, give)
    const explorer =
      target.explorerUrl === undefined ? undefined : await startProxy(target.explorerUrl, give)
    return {
      target: { ...target, gatewayUrl: gateway.url, explorerUrl: explorer?.url },
      close: async () => {
        await gateway.close()
        await explorer?.close()
      },
    }
  }

const statusOf = ({ statusCode = 502 }: IncomingMessage) => statusCode

/** The answer after a pause. */
const late =
  (ms: number): Give =>
  async ({ incoming, body }, response) => {
    await pause(ms)
    response.writeHead(statusOf(incoming), { ...onward(incoming), 'content-length': body.length })
    response.end(body)
  }

/** The answer in chunks of seven bytes, at first; the rest at once. */
const inChunks: Give = async ({ incoming, body }, response) => {
  const headers = { ...onward(incoming), 'transfer-encoding': 'chunked' }
  response.writeHead(statusOf(incoming), headers)
  const first = Math.min(body.length, 140)
  for (let at = 0; at < first; at += 7) response.write(body.subarray(at, Math.min(at + 7, first)))
  response.end(body.subarray(first))
}

/** HTTP/1.0 without a length: the end of the connection is the end of the answer. */
const asHttp10: Give = ({ incoming, body }, response) => {
  const { socket } = response
  const fields = Object.entries(onward(incoming)).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${name}: ${each}\r\n`),
  )
  socket?.write(`HTTP/1.0 ${statusOf(incoming)} Answer\r\n${fields.join('')}\r\n`)
  socket?.end(body)
}

/**
 * The chain mines a block at this interval, instead of one for each transaction; it has done so for as
 * many blocks as the suite compares.
 */
const miningEvery =
  (seconds: number) =>
  async (target: Target): Promise<PreparedTarget> => {
    const node = (method: string, ...params: unknown[]) =>
      chainCall(fetch, target.chain!.rpcUrl, method, params)
    await node('evm_setAutomine', false)
    await node('evm_setIntervalMining', seconds)
    await pause((comparedBlocks + 1) * seconds * 1000)
    return {
      target,
      close: async () => {
        await node('evm_setIntervalMining', 0)
        await node('evm_setAutomine', true)
      },
    }
  }

export const transportVariants: readonly Variant[] = [
  {
    id: 'transport.chunked',
    choice: 'sends its answers in chunks of a few bytes',
    around: behind(inChunks),
  },
  {
    id: 'transport.http-1.0',
    choice: 'is behind a proxy that answers with HTTP/1.0 and closes each connection',
    around: behind(asHttp10),
  },
  {
    id: 'transport.latency',
    choice: 'answers each request two seconds later',
    around: behind(late(2_000)),
    slow: true,
  },
  {
    id: 'chain.block-2s',
    choice: 'is on a chain with a block every 2 seconds',
    around: miningEvery(2),
    slow: true,
  },
  {
    id: 'chain.block-12s',
    choice: 'is on a chain with a block every 12 seconds',
    around: miningEvery(12),
    slow: true,
  },
  {
    id: 'machine.half-processor',
    choice: 'runs, as the suite does, on half of a processor',
    halfProcessor: true,
    slow: true,
  },
  {
    id: 'machine.clock-ahead',
    choice: 'has a clock that is 3 seconds ahead',
    parts: () => ({ clock: () => Date.now() + 3_000 }),
  },
  {
    id: 'machine.clock-behind',
    choice: 'has a clock that is 3 seconds behind',
    parts: () => ({ clock: () => Date.now() - 3_000 }),
  },
]
