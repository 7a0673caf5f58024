import { Gauge, type Registry } from 'prom-client'
import type { ServiceParts } from './serviceParts.ts'
import type { Store } from './store/openStore.ts'
import type { Telemetry } from './telemetry/startTelemetry.ts'
import { createTaskTraces } from './telemetry/taskTraces.ts'
import {
  tracedFetch,
  tracedGateway,
  tracedHandshake,
  tracedKeys,
} from './telemetry/tracedGateway.ts'
import { tracedIndex } from './telemetry/tracedIndex.ts'
import { tracedOracleFetch, tracedTools } from './telemetry/tracedOperators.ts'
import { tracedRequests } from './telemetry/tracedRequests.ts'
import { tracedTaskDeps } from './telemetry/tracedTasks.ts'
import { tracedSocket } from './telemetry/tracedUpdates.ts'
import { tracedSend } from './telemetry/tracedWebhooks.ts'
import { createSender } from './webhooks/sender.ts'

/** The parts of a service with spans around them, and what stores the spans of its tasks. */
export type TracedParts = { readonly parts: ServiceParts; close(): Promise<void> }

/**
 * Wraps the parts of a service. Loaded only where traces are configured: without, no call passes through
 * any of this.
 */
export function tracedParts(telemetry: Telemetry, store: Store, given: ServiceParts): TracedParts {
  const { tracing, oracleHosts } = telemetry
  const traces = createTaskTraces({ tracing, stored: store.taskTraces })
  const parts: ServiceParts = {
    ...given,
    nodeCall: tracedRequests(tracing),
    traceHeaders: () => tracing.headers(),
    operatorTools: (tools) => tracedTools(tracing, given.operatorTools?.(tools) ?? tools),
    oracleFetch: (fetch) =>
      tracedOracleFetch(tracing, oracleHosts, given.oracleFetch?.(fetch) ?? fetch),
    taskDeps: (deps) => tracedTaskDeps(tracing, traces, given.taskDeps?.(deps) ?? deps),
    webhooks(options) {
      const own = given.webhooks?.(options) ?? options
      return { ...own, send: tracedSend(tracing, traces, own.send ?? createSender()) }
    },
    gateway: (deps) => tracedGateway(tracing, given.gateway?.(deps) ?? deps),
    wrapGatewayFetch: (fetch) => tracedFetch(tracing, given.wrapGatewayFetch?.(fetch) ?? fetch),
    updateServer(deps) {
      const own = given.updateServer?.(deps) ?? deps
      return {
        ...own,
        apiKeys: tracedKeys(tracing, own.apiKeys),
        around: tracedHandshake(tracing),
        socket: (socket) => tracedSocket(tracing, traces, own.socket?.(socket) ?? socket),
      }
    },
    indexer(deps) {
      const own = given.indexer?.(deps) ?? deps
      return { ...own, index: tracedIndex(tracing, traces, own.index) }
    },
    metrics(registry) {
      given.metrics?.(registry)
      registerMetrics(registry, telemetry)
    },
  }
  return { parts, close: traces.close }
}

function registerMetrics(registry: Registry, { counts }: Telemetry): void {
  new Gauge({
    name: 'telemetry_spans',
    help: 'Spans since the start: ended, exported, lost to a failing collector. The rest is queued, or did not fit into the queue.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      for (const [outcome, value] of Object.entries(counts())) this.set({ outcome }, value)
    },
  })
}
