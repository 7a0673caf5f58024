import { Hono } from 'hono'
import { serve } from 'polgate-service/gateway/serve.ts'

/** Upper bound of the HTTP stack: parses JSON and writes it back. */
export async function echoServer(): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Hono()
  app.post('/rpc', async (c) => c.json(await c.req.json()))
  return await serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
}
