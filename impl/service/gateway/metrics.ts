import { Gauge, type Registry, Summary } from 'prom-client'

/** Metrics of the calls of one gateway. */
export function createMetrics(registry: Registry) {
  const registers = [registry]
  const inFlight = new Gauge({
    name: 'gateway_calls_in_flight',
    help: 'JSON-RPC calls that have not been answered yet.',
    registers,
  })
  const seconds = new Summary({
    name: 'gateway_call_seconds',
    help: 'Duration of JSON-RPC calls by method and outcome.',
    labelNames: ['method', 'outcome'],
    percentiles: [],
    registers,
  })
  return {
    begin() {
      inFlight.inc()
    },
    /** `method` is a name of the method table or `none`, so that callers cannot create series. */
    end(method: string, outcome: string, milliseconds: number) {
      inFlight.dec()
      seconds.observe({ method, outcome }, milliseconds / 1000)
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
