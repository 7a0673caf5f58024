import { Hono } from 'hono'
import type { Registry } from 'prom-client'
import type { Readiness } from './readiness.ts'

export type AdminDeps = {
  readonly registry: Pick<Registry, 'metrics'>
  readonly readiness: Readiness
}

/** Health, readiness and metrics, on a separate listener, loopback by default (decision E10). */
export function createAdmin({ registry, readiness }: AdminDeps): Hono {
  const app = new Hono()
  app.get('/healthz', (c) => c.text('ok\n'))
  app.get('/readyz', async (c) => {
    const { ready, unmet, problems } = await readiness.current()
    const lines = [ready ? 'ready' : 'not ready', ...unmet.values(), ...problems]
    return c.text(`${lines.join('\n')}\n`, ready ? 200 : 503)
  })
  app.get('/metrics', async (c) =>
    c.text(await registry.metrics(), 200, { 'content-type': 'text/plain; version=0.0.4' }),
  )
  return app
}
