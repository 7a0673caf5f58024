import { Hono } from 'hono'
import { serve } from 'polgate-service/gateway/serve.ts'
import type { Connections } from './goals.ts'
import type { Reference } from './judge.ts'
import { type GroupRow, timeEcho } from './methodGroups.ts'
import { taskLimit } from './taskLimit.ts'

/** Upper bound of the HTTP stack: parses JSON and writes it back. */
async function echoServer(): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Hono()
  app.post('/rpc', async (c) => c.json(await c.req.json()))
  return await serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
}

export type MeasuredReference = Reference & { readonly rows: readonly GroupRow[] }

async function measureEcho(calls: number) {
  const server = await echoServer()
  const peer = { url: server.url, path: '/rpc', key: 'none' }
  const rows = await timeEcho(peer, { connections: [1, 16, 64], calls })
  await server.close()
  const rates = rows.map(({ connections, load }) => [connections, load.perSecond])
  return { rows, echo: Object.fromEntries(rates) as Record<Connections, number> }
}

/** What this machine can do at this time, with which all figures of the run are compared. */
export async function measureReference(calls: number): Promise<MeasuredReference> {
  const { rows, echo } = await measureEcho(calls)
  const limits = new Map([4, 16].map((operators) => [operators, taskLimit(operators)]))
  return { rows, echo, task: (operators) => limits.get(operators) ?? Number.NaN }
}

/** The same with a second measurement of the echo server, where that is slower. */
export async function measuredAgain(
  first: MeasuredReference,
  calls: number,
): Promise<MeasuredReference> {
  const { echo } = await measureEcho(calls)
  const least = (connections: Connections) => Math.min(first.echo[connections], echo[connections])
  return { ...first, echo: { 1: least(1), 16: least(16), 64: least(64) } }
}
