import { randomUUID } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { Attributes } from '@opentelemetry/api'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { collectorTls } from './collectorTls.ts'
import { createTracing, type Tracing } from './tracing.ts'
import { type ExportCounts, type ExportLog, watchedExporter } from './watchedExporter.ts'

export type TelemetryOptions = {
  /** See `configTelemetry.ts`. */
  readonly config: {
    readonly endpoint?: string | undefined
    readonly headers: Readonly<Record<string, string>>
    readonly serviceName?: string | undefined
    readonly sampleRatio?: number | undefined
    readonly followCallers: boolean
    readonly oracleHosts: readonly string[]
  }
  readonly role: 'gateway' | 'operator' | 'indexer'
  readonly attributes?: Attributes | undefined
  readonly log: ExportLog
  /** How long `close` may take to send what is left, milliseconds. Default 2,000. */
  readonly closeMs?: number | undefined
}

export type Telemetry = {
  readonly tracing: Tracing
  /** Hosts that receive `traceparent` from oracles. */
  readonly oracleHosts: readonly string[]
  readonly counts: () => ExportCounts
  /** Sends what is queued, within a bound. Never rejects. Idempotent. */
  close(): Promise<void>
}

/** Characters of an attribute; longer ones are cut. */
const longestAttribute = 512

/**
 * Traces for one service. Nothing is registered globally, so several services of a process have their
 * own. Ended spans wait in a bounded queue; when it is full, or the collector fails, they are dropped.
 *
 * @throws ServiceError for a protocol of the environment that is not supported, and for a TLS file that
 * cannot be read
 */
export async function startTelemetry(
  options: TelemetryOptions,
  env: NodeJS.ProcessEnv,
): Promise<Telemetry> {
  const { config, role, log, closeMs = 2_000 } = options
  const [OTLPTraceExporter, tls] = await Promise.all([exporterOf(env), collectorTls(env)])
  const agents: http.Agent[] = []
  const exporter = watchedExporter(
    new OTLPTraceExporter({
      ...(config.endpoint !== undefined && { url: tracesUrl(config.endpoint) }),
      headers: { ...config.headers },
      httpAgentOptions: (protocol) => {
        const agent =
          protocol === 'https:'
            ? new https.Agent({ keepAlive: true, ...tls })
            : new http.Agent({ keepAlive: true })
        agents.push(agent)
        return agent
      },
    }),
    log,
  )
  const processor = new BatchSpanProcessor(exporter)
  const provider = new BasicTracerProvider({
    resource: resourceOf(options),
    spanProcessors: [exporter.counter, processor],
    generalLimits: { attributeValueLengthLimit: longestAttribute },
    ...samplerOf(config, env),
  })
  let closing: Promise<void> | undefined
  const close = async () => {
    let late: NodeJS.Timeout | undefined
    const bound = new Promise<void>((resolve) => {
      late = setTimeout(resolve, closeMs)
    })
    await Promise.race([provider.shutdown().catch(() => {}), bound])
    clearTimeout(late)
    for (const agent of agents) agent.destroy()
  }
  return {
    tracing: createTracing(provider.getTracer('polgate', packageVersion)),
    oracleHosts: config.oracleHosts,
    counts: exporter.counts,
    close: () => {
      closing ??= close()
      return closing
    },
  }

  function resourceOf({ attributes }: TelemetryOptions) {
    const name = config.serviceName ?? env.OTEL_SERVICE_NAME?.trim()
    return defaultResource()
      .merge(resourceFromAttributes({ 'service.version': packageVersion }))
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(
        resourceFromAttributes({
          'service.name': name || `policy-${role}`,
          'service.instance.id': randomUUID(),
          'polgate.role': role,
          ...attributes,
        }),
      )
  }
}

const tracesUrl = (endpoint: string) => `${endpoint.replace(/\/+$/, '')}/v1/traces`

/** Without a ratio the library reads the environment. */
function samplerOf(
  { sampleRatio, followCallers }: TelemetryOptions['config'],
  env: NodeJS.ProcessEnv,
) {
  if (sampleRatio === undefined && followCallers) return {}
  const root = new TraceIdRatioBasedSampler(sampleRatio ?? ratioOf(env))
  const remote = followCallers ? {} : { remoteParentSampled: root, remoteParentNotSampled: root }
  return { sampler: new ParentBasedSampler({ root, ...remote }) }
}

/** The share that the environment asks for; whatever is unknown records everything, as in the library. */
function ratioOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: NodeJS.ProcessEnv): number {
  const name = OTEL_TRACES_SAMPLER?.trim().replace(/^parentbased_/, '')
  if (name === 'always_off') return 0
  const share = Number(OTEL_TRACES_SAMPLER_ARG?.trim() || 1)
  return name === 'traceidratio' && share >= 0 && share <= 1 ? share : 1
}

/** The exporter of the protocol that the environment names; default: JSON over HTTP. */
async function exporterOf(env: NodeJS.ProcessEnv) {
  const names = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const
  const name = names.find((each) => env[each]?.trim())
  const protocol = name === undefined ? 'http/json' : env[name]?.trim()
  if (protocol === 'http/json') return (await import('./jsonExporter.ts')).Exporter
  if (protocol === 'http/protobuf') return (await import('./protobufExporter.ts')).Exporter
  throw new ServiceError(`Invalid configuration: ${name} is ${protocol?.slice(0, 40)}`, {
    code: -32603,
    clause: 'the configuration',
    hint: 'Supported are http/json and http/protobuf: set one of them, or remove the variable.',
  })
}
