import { Hono } from 'hono'
import type { Metrics } from './metrics.ts'

export type AdminDeps = {
  readonly metrics: Pick<Metrics, 'text'>
  /** Whether the parts behind the gateway answer; a rejection is a no. */
  readonly ready: () => Promise<boolean>
  /** What is amiss and no reason to send nothing here, a line each. */
  readonly problems?: (() => readonly string[]) | undefined
}

/** Health, readiness and metrics, on a listener of their own, loopback by default (decision E10). */
export const createAdmin = (deps: AdminDeps): Hono => {
  const app = new Hono()
  app.get('/healthz', (c) => c.text('ok\n'))
  app.get('/readyz', async (c) => {
    const ready = await deps.ready().catch(() => false)
    const lines = [ready ? 'ready' : 'not ready', ...(deps.problems?.() ?? [])]
    return c.text(`${lines.join('\n')}\n`, ready ? 200 : 503)
  })
  app.get('/metrics', (c) =>
    c.text(deps.metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4' }),
  )
  return app
}
