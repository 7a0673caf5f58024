import { Hono } from 'hono'
import type { Registry } from 'prom-client'

export type AdminDeps = {
  readonly registry: Pick<Registry, 'metrics'>
  /** Whether the gateway's dependencies respond; a rejection counts as false. */
  readonly ready: () => Promise<boolean>
  /** Outages that prevent calls from being served, one line each. */
  readonly outages?: (() => readonly string[]) | undefined
  /** Problems that do not affect readiness, one line each. */
  readonly problems?: (() => readonly string[] | Promise<readonly string[]>) | undefined
}

/** Health, readiness and metrics, on a separate listener, loopback by default (decision E10). */
export function createAdmin(deps: AdminDeps): Hono {
  const app = new Hono()
  app.get('/healthz', (c) => c.text('ok\n'))
  app.get('/readyz', async (c) => {
    const outages = deps.outages?.() ?? []
    const ready = outages.length === 0 && (await deps.ready().catch(() => false))
    const problems = await Promise.resolve()
      .then(() => deps.problems?.() ?? [])
      .catch(() => ['problems cannot be determined'])
    const lines = [ready ? 'ready' : 'not ready', ...outages, ...problems]
    return c.text(`${lines.join('\n')}\n`, ready ? 200 : 503)
  })
  app.get('/metrics', async (c) =>
    c.text(await deps.registry.metrics(), 200, { 'content-type': 'text/plain; version=0.0.4' }),
  )
  return app
}
