import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { type ErrorFacts, errorFacts } from './errorFacts.ts'

export type SpanFacts = {
  readonly kind?: 'server' | 'client'
  readonly attributes?: Attributes
  readonly links?: readonly Link[]
  /** Default: the active span. */
  readonly parent?: Context
  /** Unix milliseconds; default: now. */
  readonly startTime?: number
}

/** Reads a header by its lower-case name. */
export type HeaderReader = (name: string) => string | null | undefined

/** Spans of one process; the active one follows the asynchronous calls of its work. */
export type Tracing = {
  /** Runs work in a new span, which ends with it. Errors are recorded and thrown. */
  span<T>(name: string, facts: SpanFacts, work: (span: Span) => Promise<T>): Promise<T>
  /** The same, but outside a trace the work runs without a span. */
  child<T>(name: string, facts: SpanFacts, work: (span?: Span) => Promise<T>): Promise<T>
  /** A span of the past. */
  ended(name: string, facts: SpanFacts & { readonly error?: unknown }): void
  activeSpan(): Span | undefined
  activeContext(): Context
  /** The caller's trace, from `traceparent` and `tracestate`; without valid ones a new trace. */
  contextOf(header: HeaderReader): Context
  /** A context in which the given span of this service is the parent. */
  contextIn(span: SpanContext): Context
  /** `traceparent` and `tracestate` of a span, default the active one; empty without. */
  headers(context?: Context): Record<string, string>
  /** For log lines; undefined outside a trace. */
  logFields(): { readonly trace_id: string; readonly span_id: string } | undefined
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

/** Longest header that is read; more than 32 members of a `tracestate` are ignored as well. */
const longestHeader = 512

export function createTracing(tracer: Tracer): Tracing {
  const storage = new AsyncLocalStorage<Context>()
  const propagator = new W3CTraceContextPropagator()
  const activeContext = () => storage.getStore() ?? ROOT_CONTEXT
  const activeSpan = () => trace.getSpan(activeContext())

  const start = (name: string, facts: SpanFacts, parent: Context): Span =>
    tracer.startSpan(
      name,
      {
        kind: facts.kind === undefined ? SpanKind.INTERNAL : kinds[facts.kind],
        attributes: facts.attributes ?? {},
        ...(facts.links && { links: [...facts.links] }),
        ...(facts.startTime !== undefined && { startTime: facts.startTime }),
      },
      parent,
    )

  async function span<T>(name: string, facts: SpanFacts, work: (span: Span) => Promise<T>) {
    const parent = facts.parent ?? activeContext()
    const started = start(name, facts, parent)
    try {
      return await storage.run(trace.setSpan(parent, started), () => work(started))
    } catch (error) {
      recordError(started, error)
      throw error
    } finally {
      started.end()
    }
  }

  return {
    span,
    child: (name, facts, work) =>
      trace.getSpan(facts.parent ?? activeContext()) === undefined
        ? work()
        : span(name, facts, work),
    ended(name, { error, ...facts }) {
      const started = start(name, facts, facts.parent ?? activeContext())
      if (error !== undefined) recordError(started, error)
      started.end()
    },
    activeSpan,
    activeContext,
    contextOf: (header) =>
      propagator.extract(ROOT_CONTEXT, header, {
        get(read, name) {
          const value = read(name) ?? undefined
          return value === undefined || value.length > longestHeader ? undefined : value
        },
        keys: () => [],
      }),
    contextIn: (parent) => trace.setSpan(ROOT_CONTEXT, trace.wrapSpanContext(parent)),
    headers(context = activeContext()) {
      const headers: Record<string, string> = {}
      propagator.inject(context, headers, {
        set: (carrier, name, value) => {
          carrier[name] = value
        },
      })
      return headers
    },
    logFields() {
      const found = activeSpan()?.spanContext()
      return found && { trace_id: found.traceId, span_id: found.spanId }
    },
  }
}

/** Marks a span as failed, with bounded text and without a stack. */
export const recordError = (span: Span, error: unknown): void =>
  recordFailure(span, errorFacts(error))

export function recordFailure(span: Span, { type, message }: ErrorFacts): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== '' && { message }) })
}

export const isSampled = ({ traceFlags }: SpanContext): boolean =>
  (traceFlags & TraceFlags.SAMPLED) !== 0
