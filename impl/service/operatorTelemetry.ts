import type { AroundRequest } from 'polgate-chain/client.ts'
import type { OperatorConfig } from './operatorConfig.ts'
import type { OperatorPartsOptions } from './operators/operatorParts.ts'
import type { OperatorServerOptions } from './operators/operatorServer.ts'
import { openTelemetry } from './telemetry/openTelemetry.ts'
import type { ExportLog } from './telemetry/watchedExporter.ts'

/** What traces the calls of an operator process; empty unless traces are configured. */
export type OperatorTelemetry = {
  readonly parts?: Pick<OperatorPartsOptions, 'tools' | 'oracleFetch'>
  readonly around?: OperatorServerOptions['around']
  readonly nodeCall?: AroundRequest
  close(): Promise<void>
}

/** @throws ServiceError for a protocol of the environment that is not supported */
export async function openOperatorTelemetry(
  { telemetry: config, address }: Pick<OperatorConfig, 'telemetry' | 'address'>,
  log: ExportLog,
): Promise<OperatorTelemetry> {
  const attributes = { 'polgate.operator.address': address }
  const telemetry = await openTelemetry({ config, role: 'operator', attributes, log })
  if (telemetry === undefined) return { close: async () => {} }
  const [{ tracedCalls, tracedOracleFetch, tracedTools }, { tracedRequests }] = await Promise.all([
    import('./telemetry/tracedOperators.ts'),
    import('./telemetry/tracedRequests.ts'),
  ])
  const { tracing, oracleHosts, close } = telemetry
  return {
    parts: {
      tools: (tools) => tracedTools(tracing, tools),
      oracleFetch: (fetch) => tracedOracleFetch(tracing, oracleHosts, fetch),
    },
    around: tracedCalls(tracing),
    nodeCall: tracedRequests(tracing),
    close,
  }
}
