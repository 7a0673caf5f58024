import { type Receiver, startReceiver } from 'polgate-service/webhooks/receiver.fixture.ts'

type Reply = Parameters<Receiver['reply']>[0]

/** A body, sent as it is. */
export const answering =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

/** A JSON-RPC result with the id of the last request that the server received. */
export const resulting =
  (server: () => Receiver, result: unknown): Reply =>
  (response) => {
    const { id } = JSON.parse(String(server().received.at(-1)!.body)) as { id: string }
    response.writeHead(200).end(JSON.stringify({ jsonrpc: '2.0', result, id }))
  }

/** A server on loopback whose replies a test sets; `methods` are those that it received. */
export async function startRetryServer() {
  const receiver: Receiver = await startReceiver()
  return {
    ...receiver,
    result: (result: unknown): Reply => resulting(() => receiver, result),
    methods: () =>
      receiver.received.map(({ body }) => (JSON.parse(String(body)) as { method: string }).method),
  }
}

export type RetryServer = Awaited<ReturnType<typeof startRetryServer>>
