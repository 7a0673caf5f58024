import { AsyncResource } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { createChainClient } from 'polgate-chain/client.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import type { Hex } from 'polgate-protocol/scalars.ts'
import type { TransactionReceipt } from 'viem'
import { signingAccount } from './ecdsa/signingAccount.ts'
import { createPeerUpdates, type PeerUpdates } from './gateway/updates/peerUpdates.ts'
import type { Operator } from './operators/operator.ts'
import { sealedDataChain } from './sealedData/sealedDataChain.ts'
import type { SealedDataDeps } from './sealedData/sealedDataDeps.ts'
import { createSealedData, type SealedDataService } from './sealedData/sealedDataService.ts'
import type { WatchedChain } from './serviceChain.ts'
import type { ServiceContext } from './serviceParts.ts'
import { noStopwatch } from './tasks/stopwatch.ts'
import { type TaskChain, taskChain } from './tasks/taskChain.ts'
import type { TaskDeps } from './tasks/taskDeps.ts'
import { createTaskService, type TaskService } from './tasks/taskService.ts'
import { createTaskUpdates, type TaskUpdates } from './tasks/taskUpdates.ts'
import { minimumVersions } from './tasks/versions.ts'
import { createWebhooks, type Webhooks, type WebhooksOptions } from './webhooks/webhooks.ts'

/** Executes tasks, publishes their updates and stores notifications for webhooks. */
export async function openTasks(
  context: ServiceContext,
  operators: readonly Operator[],
  {
    settled,
    watch,
    privateData,
  }: {
    /** A task was posted on chain, or posting was abandoned. */
    readonly settled: () => void
    readonly watch: WatchedChain
    readonly privateData: TaskDeps['privateData']
  },
): Promise<{
  readonly taskChain: TaskChain
  readonly tasks: TaskService
  readonly updates: TaskUpdates
  readonly elsewhere: PeerUpdates | undefined
  readonly webhooks: Webhooks
}> {
  const { config, parts, brand, clock, logger, store, onClose } = context
  const chain = notifyingChain(chainOf(context, watch), settled)
  const updates = createTaskUpdates((err) => logger.error({ err }, 'task update listener failed'))
  // Closed after the tasks, so that their last updates are still sent.
  const elsewhere = openElsewhere(context, updates)
  const webhooks = openWebhooks(context)
  // Deliveries belong to no task, although failures of tasks wake them.
  const wake = AsyncResource.bind(webhooks.wake)
  updates.subscribeAll(({ kind }) => {
    if (kind !== 'notification') return
    wake()
    settled()
  })
  const deps: TaskDeps = {
    store,
    gatewayId: randomUUID(),
    secrets: store.secrets,
    fingerprints: store.fingerprints,
    chain: parts.chain?.(chain) ?? chain,
    operators,
    privateData,
    attester: gatewayAccount(context),
    minimumVersions,
    graceMs: config.operatorGraceMs,
    postOnChain: config.chain.postResults,
    clock,
    uuid: parts.uuid ?? randomUUID,
    stopwatch: parts.stopwatch ?? noStopwatch,
    updates,
    brand,
    log: logger,
    onChainWentBack: (listener) => watch.onWentBack(listener),
    onClockJump: parts.onClockJump,
  }
  const tasks = await createTaskService(parts.taskDeps?.(deps) ?? deps)
  onClose(() => tasks.close())
  parts.onClockJump?.(() => webhooks.wake())
  return { taskChain: deps.chain, tasks, updates, elsewhere, webhooks }
}

const notifyingChain = (chain: TaskChain, posted: () => void): TaskChain => ({
  ...chain,
  async post(answers) {
    const ends = await chain.post(answers)
    if (ends.some(({ status }) => status === 'fulfilled')) posted()
    return ends
  },
})

/** Updates from other gateways on this database; an embedded one has none. */
function openElsewhere(
  { store, onClose }: ServiceContext,
  updates: TaskUpdates,
): PeerUpdates | undefined {
  const { openChannel } = store.database
  if (openChannel === undefined) return undefined
  // Not injectable: two services with the same id would ignore each other's updates.
  const elsewhere = createPeerUpdates({ openChannel, updates, sender: randomUUID() })
  onClose(() => elsewhere.close())
  return elsewhere
}

function openWebhooks(context: ServiceContext): Webhooks {
  const { config, parts, brand, version, clock, logger, store, onClose } = context
  const options: WebhooksOptions = {
    store,
    brand,
    gatewayKey: config.keys.gateway,
    userAgent: `policy-service/${version}`,
    allowLoopback: config.webhooks.allowLoopback,
    clock,
    log: logger,
  }
  const webhooks = createWebhooks(parts.webhooks?.(options) ?? options)
  onClose(() => webhooks.close())
  return webhooks
}

/** Data that operators decrypt for one task only. */
export function openSealedData(
  context: ServiceContext,
  privacyKey: () => string,
): SealedDataService {
  const { config, parts, clock, store } = context
  const deps: SealedDataDeps = {
    store: store.sealedData,
    fingerprints: store.fingerprints,
    chain: sealedDataChain({ ...config.chain, client: readerOf(context) }),
    signer: gatewayAccount(context),
    privacyKeys: () => [
      privacyKey().toLowerCase(),
      ...config.keys.formerPrivacy
        .filter(({ acceptedUntil }) => clock() < Date.parse(acceptedUntil))
        .map(({ publicKey }) => publicKey.toLowerCase()),
    ],
  }
  return createSealedData(parts.sealedDataDeps?.(deps) ?? deps)
}

function chainOf(context: ServiceContext, watch: WatchedChain): TaskChain {
  const { config, parts } = context
  const { rpcUrl, chainId, taskManager, operatorRegistry } = config.chain
  const account = gatewayAccount(context)
  const onMined = ({ blockNumber: number, blockHash: hash }: TransactionReceipt) =>
    watch.rely({ number, hash })
  let transactor: ReturnType<typeof createTransactor> | undefined
  return taskChain({
    client: readerOf(context),
    chainId,
    taskManager,
    operatorRegistry,
    onRead: watch.rely,
    // On first use, and again after a failure: the service starts even if its chain is unavailable.
    transactor: () => {
      transactor ??= createTransactor({ rpcUrl, account, onMined, around: parts.nodeCall })
      transactor.catch(() => {
        transactor = undefined
      })
      return transactor
    },
  })
}

function readerOf({ config, parts }: ServiceContext) {
  const { fetch, nodeCall: around, chainReadMs: timeout } = parts
  const { rpcUrl } = config.chain
  return createChainClient({ rpcUrl, around, ...(fetch && { fetch }), ...(timeout && { timeout }) })
}

const gatewayAccount = ({ config }: ServiceContext) => signingAccount(prefixed(config.keys.gateway))

const prefixed = (hex: string): Hex => (hex.startsWith('0x') ? hex : `0x${hex}`) as Hex
