import type { Logger } from 'pino'
import { createLogger } from './logging/createLogger.ts'
import type { ServiceConfig } from './serviceConfig.ts'
import type { ServiceContext, ServiceParts } from './serviceParts.ts'
import { openTelemetry } from './telemetry/openTelemetry.ts'
import type { Telemetry } from './telemetry/startTelemetry.ts'

/** The logger of a process, whose lines name the active trace, and its traces if they are configured. */
export async function openLogging(
  { logLevel: level, telemetry: config }: Pick<ServiceConfig, 'logLevel' | 'telemetry'>,
  role: 'gateway' | 'indexer',
  given: Logger | undefined,
): Promise<{ readonly logger: Logger; readonly telemetry: Telemetry | undefined }> {
  if (config === undefined)
    return { logger: given ?? createLogger({ level }), telemetry: undefined }
  let telemetry: Telemetry | undefined
  const fields = () => telemetry?.tracing.logFields() ?? {}
  const logger = given ?? createLogger({ level, fields })
  telemetry = await openTelemetry({ config, role, log: logger })
  return { logger, telemetry }
}

/** The parts with spans around them, if traces are configured. */
export async function withTraces(
  telemetry: Telemetry | undefined,
  { parts, store, onClose }: Pick<ServiceContext, 'parts' | 'store' | 'onClose'>,
): Promise<ServiceParts> {
  if (telemetry === undefined) return parts
  const { tracedParts } = await import('./serviceTelemetry.ts')
  const traced = tracedParts(telemetry, store, parts)
  onClose(traced.close)
  return traced.parts
}
