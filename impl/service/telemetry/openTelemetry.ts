import type { Telemetry, TelemetryOptions } from './startTelemetry.ts'

/** Whether the environment disables traces, whatever the configuration says. */
const isDisabled = ({ OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER }: NodeJS.ProcessEnv): boolean =>
  OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' || OTEL_TRACES_EXPORTER?.trim() === 'none'

/** Whether the environment asks for traces. */
const isAsked = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim()) ||
  Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim()) ||
  env.OTEL_TRACES_EXPORTER?.trim() === 'otlp'

/**
 * Adds the section `telemetry` to the configuration of a process whose environment asks for traces with
 * the standard variables of OpenTelemetry.
 */
export const withTelemetryOf = <T extends { readonly telemetry?: unknown }>(
  config: T,
  env: NodeJS.ProcessEnv = process.env,
): T =>
  config.telemetry === undefined && isAsked(env) && !isDisabled(env)
    ? { ...config, telemetry: {} }
    : config

/**
 * Starts tracing if it is configured. The libraries are loaded only then.
 *
 * @throws ServiceError for a protocol of the environment that is not supported
 */
export async function openTelemetry(
  options: Omit<TelemetryOptions, 'config'> & {
    readonly config: TelemetryOptions['config'] | undefined
  },
  env: NodeJS.ProcessEnv = process.env,
): Promise<Telemetry | undefined> {
  const { config } = options
  if (config === undefined || isDisabled(env)) return undefined
  const { startTelemetry } = await import('./startTelemetry.ts')
  return startTelemetry({ ...options, config }, env)
}
