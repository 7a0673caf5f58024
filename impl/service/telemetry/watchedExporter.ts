import { TraceFlags } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base'

export type ExportLog = {
  warn(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
}

/** Spans since the start. Those that are neither exported nor lost are queued, or did not fit into the queue. */
export type ExportCounts = {
  readonly ended: number
  readonly exported: number
  /** Rejected by the collector, or not accepted in time. */
  readonly lost: number
}

type WatchedExporter = SpanExporter & {
  counts(): ExportCounts
  /** Counts the spans that end. */
  readonly counter: SpanProcessor
}

/**
 * Reports an outage of the collector once, at its start and at its end, and counts. The texts of errors
 * are not logged: they contain the collector's answer.
 */
export function watchedExporter(exporter: SpanExporter, log: ExportLog): WatchedExporter {
  let recorded = 0
  let exported = 0
  let lost = 0
  let lostBefore = 0
  let failing = false

  const ended = (spans: number, { code, error }: ExportResult) => {
    if (code === ExportResultCode.SUCCESS) {
      exported += spans
      if (!failing) return
      failing = false
      log.info({ lost: lost - lostBefore }, 'spans reach the collector again')
      return
    }
    if (!failing) {
      failing = true
      lostBefore = lost
      log.warn({ cause: causeOf(error) }, 'spans cannot be exported; the service is not affected')
    }
    lost += spans
  }

  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        ended(spans.length, result)
        // Known here: the processor has nothing to add.
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
    counts: () => ({ ended: recorded, exported, lost }),
    counter: {
      onStart() {},
      onEnd(span) {
        if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0) recorded += 1
      },
      async forceFlush() {},
      async shutdown() {},
    },
  }
}

/** A status or a system code. */
function causeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  if (typeof code === 'number') return `HTTP ${code}`
  if (typeof code === 'string') return code.slice(0, 40)
  return 'no answer in time'
}
