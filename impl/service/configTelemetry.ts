import { Type } from '@sinclair/typebox'
import { documented, HttpUrl } from './configParts.ts'
import { closed } from './configSections.ts'

/** Traces of a gateway, an operator or an indexer. */
export const TelemetrySection = documented(
  Type.Object(
    {
      endpoint: Type.Optional(
        documented(
          HttpUrl,
          'Base URL of a collector for OTLP over HTTP; traces go to `/v1/traces` below it. By default that of OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_EXPORTER_OTLP_ENDPOINT, else `http://localhost:4318`.',
          { examples: ['http://127.0.0.1:4318'] },
        ),
      ),
      headers: documented(
        Type.Record(Type.String(), Type.String(), { default: {} }),
        'Headers for the collector. They are never logged.',
        { examples: [{ authorization: `\${COLLECTOR_AUTHORIZATION}` }] },
      ),
      serviceName: Type.Optional(
        documented(
          Type.String({ minLength: 1 }),
          'Value of `service.name`. By default OTEL_SERVICE_NAME, else `policy-gateway`, `policy-operator` or `policy-indexer`.',
          { examples: ['policy-gateway-eu'] },
        ),
      ),
      sampleRatio: Type.Optional(
        documented(
          Type.Number({ minimum: 0, maximum: 1 }),
          'Share of the traces without a caller’s `traceparent` that are recorded. By default OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG decide, else all are.',
          { unit: 'share', examples: [0.1] },
        ),
      ),
      followCallers: documented(
        Type.Boolean({ default: true }),
        'Whether the sampling flag in the `traceparent` of a caller decides. Otherwise `sampleRatio` does for every trace, and only the trace id is taken from the caller: for public gateways, where anyone could have every request recorded.',
      ),
      oracleHosts: documented(
        Type.Array(Type.String(), { default: [] }),
        'Hosts (`host:port`) to which the HTTP calls of oracles carry `traceparent`. By default none, because the ids would reach third parties.',
        { examples: [['prices.internal:8443']] },
      ),
    },
    closed,
  ),
  'OpenTelemetry traces. Absent: off, unless OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_TRACES_EXPORTER=otlp is set. OTEL_SDK_DISABLED=true and OTEL_TRACES_EXPORTER=none turn them off in any case. The other variables for traces (OTEL_BSP_*, OTEL_SPAN_*_LIMIT, OTEL_EXPORTER_OTLP_*, OTEL_RESOURCE_ATTRIBUTES) apply too; the protocols are `http/json`, the default, and `http/protobuf`.',
)
