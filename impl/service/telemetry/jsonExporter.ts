import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'

/** Imported by name: in a bundle a dynamic import of a CommonJS package has no names. */
export const Exporter = OTLPTraceExporter
