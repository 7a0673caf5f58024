import { createServer } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'

/** A received span, with attributes as plain values. */
export type CollectedSpan = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Empty for a root. */
  readonly parentSpanId: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly string[]
  /** Ids of linked spans. */
  readonly links: readonly string[]
  readonly isError: boolean
  readonly message: string
  readonly service: string
  /** Of the process: `gateway`, `operator`, `indexer`. */
  readonly role: string
}

/** How the collector responds. */
export type CollectorMode = 'ok' | 'hang' | number

export type Collector = {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** Everything that was received, headers included. */
  text(): string
  requests(): number
  mode(mode: CollectorMode): void
  close(): Promise<void>
}

type Value = Readonly<Record<string, unknown>>
type Pair = { readonly key: string; readonly value: Value }
type Exported = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Pair[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly kind: number
        readonly attributes: readonly Pair[]
        readonly events: readonly { readonly name: string }[]
        readonly links: readonly { readonly spanId: string }[]
        readonly status: { readonly code: number; readonly message?: string }
      }[]
    }[]
  }[]
}

/** A collector for OTLP over HTTP with JSON, on loopback. */
export async function startCollector(port = 0): Promise<Collector> {
  const spans: CollectedSpan[] = []
  let text = ''
  let requests = 0
  let mode: CollectorMode = 'ok'
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      requests += 1
      if (mode === 'hang') return
      if (mode !== 'ok') return void response.writeHead(mode).end('no')
      const body = Buffer.concat(chunks).toString()
      text += `${JSON.stringify(request.headers)}\n${body}\n`
      if (request.url !== '/v1/traces') return void response.writeHead(404).end()
      // Protobuf is only searched as text.
      if (request.headers['content-type'] === 'application/json')
        spans.push(...spansOf(JSON.parse(body) as Exported))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const { url } = await listen(server, { port })
  return {
    url,
    spans,
    text: () => text,
    requests: () => requests,
    mode(next) {
      mode = next
    },
    close: () => drain(server),
  }
}

function spansOf({ resourceSpans }: Exported): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const about = plain(resource.attributes)
    return scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        kind: span.kind,
        attributes: plain(span.attributes),
        events: span.events.map(({ name }) => name),
        links: span.links.map(({ spanId }) => spanId),
        isError: span.status.code === 2,
        message: span.status.message ?? '',
        service: String(about['service.name']),
        role: String(about['polgate.role']),
      })),
    )
  })
}

const plain = (pairs: readonly Pair[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]))

/** The names of a trace as a tree, siblings sorted: `a(b c(d))`; repeated ones as `b×4`. */
export function treeOf(spans: readonly CollectedSpan[], root: CollectedSpan): string {
  const children = spans
    .filter(({ parentSpanId }) => parentSpanId === root.spanId)
    .map((child) => treeOf(spans, child))
    .sort()
  const counts = new Map<string, number>()
  for (const child of children) counts.set(child, (counts.get(child) ?? 0) + 1)
  const inner = [...counts].map(([child, count]) => (count === 1 ? child : `${child}×${count}`))
  return inner.length === 0 ? root.name : `${root.name}(${inner.join(' ')})`
}
