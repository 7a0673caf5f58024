import { randomBytes } from 'node:crypto'
import type { EncryptionKey } from './envelopes/encryptionKey.ts'
import { operatorConnection } from './operators/operatorConnection.ts'
import { type OperatorParts, openOperatorParts } from './operators/operatorParts.ts'
import { remoteOperator } from './operators/remoteOperator.ts'
import { isRemotePlainHttp } from './operators/remotePlainHttp.ts'
import { type SwitchableOperator, switchableOperator } from './operators/switchableOperator.ts'
import { openPrivacyKey, type PrivacyKey } from './privacyKey.ts'
import type { ServiceContext } from './serviceParts.ts'

/**
 * The operators of a service, in this process or over HTTP, and in threshold mode the key that they
 * share.
 */
export async function openOperators(
  { config, parts, brand, clock, logger, onClose }: ServiceContext,
  secretsKey: EncryptionKey,
): Promise<{
  /** In the order of the configuration. */
  readonly operators: readonly SwitchableOperator[]
  readonly sharedKey: PrivacyKey | undefined
  /** One line for each unavailable operator. */
  readonly problems: () => readonly string[]
  /** Prepares the component with a content id (see `OperatorParts`). */
  readonly prepare: OperatorParts['prepare']
  readonly loadedOracles: OperatorParts['loadedOracles']
}> {
  const operatorParts = await openOperatorParts({
    ...{ config, clock, brand, fetch: parts.fetch },
    ...{ tools: parts.operatorTools, oracleFetch: parts.oracleFetch },
    oracleEgress: parts.oracleEgress,
  })
  onClose(() => operatorParts.close())
  const { traceHeaders } = parts
  const connections = config.operators.map((entry) =>
    entry.kind === 'remote'
      ? operatorConnection({ ...entry, clock, log: logger, traceHeaders })
      : undefined,
  )
  onClose(() => Promise.all(connections.map((connection) => connection?.close())))
  for (const [at, connection] of connections.entries()) {
    const entry = config.operators[at]!
    const { address } = entry
    if (entry.kind === 'remote' && isRemotePlainHttp(entry.url)) {
      logger.warn({ operator: address }, 'operator reached without TLS: use https, or a tunnel')
    }
    // Not awaited: the service starts without an unavailable operator and retries later.
    connection
      ?.check()
      .catch((err) => logger.warn({ err, operator: address }, 'operator unavailable'))
  }
  const operators = config.operators.map((entry, at) => {
    const connection = connections[at]
    const operator =
      entry.kind === 'remote'
        ? remoteOperator({ ...entry, connection: connection!, timeouts: config.operatorTimeouts })
        : operatorParts.operator({
            address: entry.address,
            blsKey: entry.blsKey,
            secretsKey,
            chainId: config.chain.chainId,
          })
    return switchableOperator(parts.operator?.(operator) ?? operator)
  })
  const problems = () => connections.flatMap((connection) => connection?.problem() ?? [])
  const { prepare, loadedOracles } = operatorParts
  if (config.threshold === undefined)
    return { operators, sharedKey: undefined, problems, prepare, loadedOracles }
  const random = parts.random ?? randomBytes
  const sharedKey = await openPrivacyKey({ config, operators, connections, random, log: logger })
  onClose(() => sharedKey.close())
  return { operators, sharedKey, problems, prepare, loadedOracles }
}
