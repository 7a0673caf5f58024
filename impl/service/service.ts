import { createChainClient } from 'polgate-chain/client.ts'
import { readPolicyData } from 'polgate-chain/reads.ts'
import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { type Brand, defaultBrand } from 'polgate-protocol/brand.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { loadEncryptionKey } from './envelopes/encryptionKey.ts'
import type { SwitchableOperator } from './operators/switchableOperator.ts'
import { createOraclePreparation } from './prepareOracles.ts'
import type { PrivacyKey } from './privacyKey.ts'
import { openChainWatch } from './serviceChain.ts'
import { parseServiceConfig, type ServiceConfigInput } from './serviceConfig.ts'
import { openIndexing } from './serviceExplorer.ts'
import { startListeners } from './serviceListeners.ts'
import { openLogging, withTraces } from './serviceLogging.ts'
import { openOperators } from './serviceOperators.ts'
import type { ServiceContext, ServiceParts } from './serviceParts.ts'
import { openSealedData, openTasks } from './serviceTasks.ts'
import { worksInThread } from './store/openDatabase.ts'
import { openStore, type Store } from './store/openStore.ts'
import { reportDurability } from './store/reportDurability.ts'
import type { Telemetry } from './telemetry/startTelemetry.ts'

export type Service = {
  /** Base URL without a path; the endpoint is `{gatewayUrl}/rpc`. */
  readonly gatewayUrl: string
  /** Base URL without `/v1`; undefined without `explorer.listen` in the configuration. */
  readonly explorerUrl: string | undefined
  readonly adminUrl: string | undefined
  /** The brand's names on the wire. */
  readonly brand: Brand
  /** In the order of the configuration; each can be stopped and started. */
  readonly operators: readonly SwitchableOperator[]
  readonly store: Store
  /**
   * In threshold mode the privacy key throws BackendUnavailable until the operators have created
   * it.
   */
  readonly encryptionKeys: { readonly secretsPublicKey: string; readonly privacyPublicKey: string }
  /** Threshold mode only. */
  readonly privacyKey: PrivacyKey | undefined
  /** Stops everything that the service started; tasks in flight end as failed. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts the service: the only place that knows all components.
 *
 * @throws ServiceError for an invalid configuration, StoreError for an unusable store
 */
export async function createService(
  input: ServiceConfigInput,
  parts: ServiceParts = {},
): Promise<Service> {
  const config = parseServiceConfig(input)
  return startWithCleanup(async (cleanup) => {
    const { logger, telemetry } = await openLogging(config, 'gateway', parts.logger)
    cleanup.defer(async () => telemetry?.close())
    const service = await start({
      config,
      parts,
      logger,
      telemetry,
      brand: { ...defaultBrand, ...config.brand },
      version: packageVersion,
      clock: parts.clock ?? systemClock,
      onClose: cleanup.defer,
    })
    const close = () => cleanup.close().catch((err) => logger.error({ err }, 'close failed'))
    return { ...service, close }
  })
}

type Given = Omit<ServiceContext, 'store'> & { readonly telemetry: Telemetry | undefined }

async function start({ telemetry, ...given }: Given): Promise<Omit<Service, 'close'>> {
  const { config, clock, onClose } = given
  const opening = Promise.resolve(
    given.parts.store ??
      openStore({ ...config.store, clock, ownThread: worksInThread(config.store) }),
  )
  // Before anything else can fail: a key that does not load must not leave the store open.
  onClose(() =>
    opening.then(
      (store) => store.close(),
      () => {},
    ),
  )
  const [store, secretsKey, privacyKey] = await Promise.all([
    opening,
    loadEncryptionKey(config.keys.secrets),
    loadEncryptionKey(config.keys.privacy),
  ])
  reportDurability(given.logger, store.database)
  const parts = await withTraces(telemetry, { ...given, store })
  const context: ServiceContext = { ...given, parts, store }

  const { operators, sharedKey, privateData, ...ofOperators } = await openOperators(context, {
    secrets: secretsKey,
    privacy: privacyKey,
  })
  const { problems, answering, prepare, loadedOracles } = ofOperators
  const preparation = createOraclePreparation({
    chainId: config.chain.chainId,
    wasmCid: wasmCidOn(config.chain.rpcUrl, parts),
    prepare,
    logger: context.logger,
  })
  onClose(() => preparation.close())
  const indexing = openIndexing(context, preparation.onPolicy)
  const chain = openChainWatch(context)
  const { tasks, ...told } = await openTasks(context, operators, {
    settled: indexing.wake,
    watch: chain,
    privateData,
  })
  if (sharedKey === undefined && secretsKey.publicKey === privacyKey.publicKey)
    context.logger.warn(
      'the secrets key is the privacy key: use two, so that envelopes of one kind never open as the other',
    )
  const encryptionKeys = {
    secretsPublicKey: secretsKey.publicKey,
    get privacyPublicKey() {
      return (sharedKey ?? privacyKey).publicKey
    },
  }
  const sealedData = openSealedData(context, () => encryptionKeys.privacyPublicKey)
  const serviceComponents = {
    tasks,
    ...told,
    chain,
    operators,
    operatorProblems: problems,
    answeringOperators: answering,
    loadedOracles,
    sealedData,
    indexing,
    encryptionKeys,
  }
  return {
    ...(await startListeners(context, serviceComponents)),
    brand: context.brand,
    operators,
    store,
    encryptionKeys,
    privacyKey: sharedKey,
  }
}

/** Returns the CID of the component in a PolicyData contract. */
function wasmCidOn(rpcUrl: string, { fetch }: ServiceParts) {
  const client = createChainClient({ rpcUrl, ...(fetch && { fetch }) })
  return async (policyData: string) =>
    (await readPolicyData({ client, policyData: policyData as Address })).wasmCid
}
