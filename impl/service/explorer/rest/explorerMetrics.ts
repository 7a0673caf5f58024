import { Registry, Summary } from 'prom-client'

/** Metrics of the requests of one explorer. */
export function createExplorerMetrics(registry = new Registry()) {
  const seconds = new Summary({
    name: 'explorer_request_seconds',
    help: 'Duration of explorer requests by route and HTTP status.',
    labelNames: ['route', 'status'],
    percentiles: [],
    registers: [registry],
  })
  return {
    /** `route` is the name of a route, or `none`, so that callers cannot create new series. */
    count(route: string, status: number, milliseconds: number) {
      seconds.observe({ route, status }, milliseconds / 1000)
    },
  }
}

export type ExplorerMetrics = ReturnType<typeof createExplorerMetrics>
