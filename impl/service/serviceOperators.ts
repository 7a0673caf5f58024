import { randomBytes } from 'node:crypto'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { EncryptionKey } from './envelopes/encryptionKey.ts'
import { operatorConnection } from './operators/operatorConnection.ts'
import { type OperatorParts, openOperatorParts } from './operators/operatorParts.ts'
import { remoteOperator } from './operators/remoteOperator.ts'
import { isRemotePlainHttp } from './operators/remotePlainHttp.ts'
import { type SwitchableOperator, switchableOperator } from './operators/switchableOperator.ts'
import { localKeyHolders, openPrivacyKey, type PrivacyKey } from './privacyKey.ts'
import { approveGrants } from './privateData/approveGrants.ts'
import { singleKeyOpener, thresholdOpener } from './privateData/opener.ts'
import { privateDataOf } from './privateData/privateDataOf.ts'
import { privateEnvelopes } from './privateData/privateEnvelopes.ts'
import { createSharedOpenings } from './privateData/sharedOpenings.ts'
import { grantChainOf } from './serviceChain.ts'
import type { ServiceContext } from './serviceParts.ts'
import type { TaskPrivateData } from './tasks/taskDeps.ts'
import { partialDecryptions } from './threshold/partial.ts'

/**
 * The operators of a service, in this process or over HTTP, and in threshold mode the key that they
 * share.
 */
export async function openOperators(
  context: ServiceContext,
  keys: { readonly secrets: EncryptionKey; readonly privacy: EncryptionKey },
): Promise<{
  /** In the order of the configuration. */
  readonly operators: readonly SwitchableOperator[]
  readonly sharedKey: PrivacyKey | undefined
  readonly privateData: TaskPrivateData
  /** One line for each unavailable operator. */
  readonly problems: () => readonly string[]
  /** Ids of those that are not known to be unavailable. Asks them all, in the background. */
  readonly answering: () => readonly Bytes32[]
  /** Prepares the component with a content id (see `OperatorParts`). */
  readonly prepare: OperatorParts['prepare']
  readonly loadedOracles: OperatorParts['loadedOracles']
}> {
  const { config, parts, brand, clock, logger, store, onClose } = context
  const { chainId } = config.chain
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
  const random = parts.random ?? randomBytes
  const grants = grantChainOf(context)
  const approve = () => approveGrants(grants)
  const decryptions = parts.decryptions?.(partialDecryptions)
  const localHolders = localKeyHolders(config, { random, approve, decryptions })
  const openings = createSharedOpenings()
  onClose(async () => openings.close())
  const privateDataAt = (at: number) => {
    const holder = localHolders[at]
    const opener =
      holder === undefined
        ? singleKeyOpener(keys.privacy, chainId)
        : thresholdOpener(holder, chainId)
    return privateDataOf({ chain: grants, opener, openings, usesOf: operatorParts.usesOf })
  }
  const operators = config.operators.map((entry, at) => {
    const connection = connections[at]
    const operator =
      entry.kind === 'remote'
        ? remoteOperator({ ...entry, connection: connection!, timeouts: config.operatorTimeouts })
        : operatorParts.operator({
            address: entry.address,
            blsKey: entry.blsKey,
            secretsKey: keys.secrets,
            chainId,
            privateData: privateDataAt(at),
          })
    return switchableOperator(parts.operator?.(operator) ?? operator)
  })
  const problems = () => connections.flatMap((connection) => connection?.problem() ?? [])
  const answering = () => {
    for (const connection of connections) connection?.look()
    return operators
      .filter(({ running }, at) => running && connections[at]?.problem() === undefined)
      .map(({ id }) => id)
  }
  const { prepare, loadedOracles, usesOf } = operatorParts
  const envelopesFor = privateEnvelopes({ chain: grants, store: store.sealedData })
  const opened = { operators, problems, answering, prepare, loadedOracles }
  if (config.threshold === undefined)
    return { ...opened, sharedKey: undefined, privateData: { usesOf, envelopesFor } }
  const sharedKey = await openPrivacyKey({
    ...{ config, operators, connections, localHolders, random },
    log: logger,
  })
  onClose(() => sharedKey.close())
  const { members } = sharedKey
  return { ...opened, sharedKey, privateData: { usesOf, envelopesFor, members } }
}
