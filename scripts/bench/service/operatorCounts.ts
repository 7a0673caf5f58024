import { devAccount } from 'polgate-chain/accounts.ts'
import { deployProtocol } from 'polgate-chain/deploy.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { devAccounts, devApiKeys } from 'polgate-local/devKeys.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import { createService } from 'polgate-service/service.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { type Load, load } from './load.ts'
import { fixtures as all, clientsOf, registerOperators } from './ownProtocol.ts'
import { createTaskBodies } from './requests.ts'
import { createStageClock, type StageShare } from './stageClock.ts'

export type OperatorRow = {
  readonly operators: number
  readonly fixture: string
  readonly load: Load
  readonly stages: readonly StageShare[]
}

/**
 * Sequential tasks by a separate service with this many operators of equal stake, of both fixtures
 * unless given. `ended` is called after the tasks of each.
 */
export async function tasksWithOperators(
  stack: LocalStack,
  count: number,
  tasks: number,
  { fixtures = all, ended }: { fixtures?: readonly string[]; ended?: () => void } = {},
): Promise<OperatorRow[]> {
  const rpcUrl = stack.description.chain.rpcUrl
  const owner = await createTransactor({ rpcUrl, account: devAccount(0) })
  const protocol = await deployProtocol(owner, { aggregator: devAccounts.gateway.address })
  const operators = await registerOperators(owner, protocol.operatorRegistry, count)
  const { clients } = stack.description
  const described = { ...stack.description, clients: await clientsOf(owner, protocol, clients) }
  const clock = createStageClock()
  const store = await openStore()
  await store.apiKeys.create({ ...devApiKeys.rpc, name: 'bench' })
  const service = await createService(
    {
      ...stack.config,
      gateway: { port: 0 },
      admin: undefined,
      chain: {
        ...stack.config.chain,
        taskManager: protocol.taskManager,
        operatorRegistry: protocol.operatorRegistry,
      },
      operators,
    },
    { store, stopwatch: clock },
  )
  try {
    await sealFor(store, described, stack, service.encryptionKeys.secretsPublicKey)
    const target = { url: service.gatewayUrl, path: '/rpc', key: devApiKeys.rpc.key }
    const rows: OperatorRow[] = []
    for (const fixture of fixtures) {
      await load(target, createTaskBodies(described, fixture, 10), 2)
      clock.reset()
      const timed = await load(target, createTaskBodies(described, fixture, tasks), 1)
      if (timed.failures > 0) throw new Error(`a task failed: ${timed.firstFailure}`)
      ended?.()
      const stages = clock.shares(timed.totalMs / tasks, tasks)
      rows.push({ operators: count, fixture, load: timed, stages })
    }
    return rows
  } finally {
    await service.close()
  }
}

async function sealFor(
  store: Awaited<ReturnType<typeof openStore>>,
  { clients, chain }: StackDescription,
  stack: LocalStack,
  recipientPublicKey: string,
): Promise<void> {
  const { policyClient, policyData } = clients['priced-transfer']!
  const policyDataAddress = policyData[0]!.address
  const envelope = await sealSecrets({
    secrets: {
      PRICE_API_KEY: 'fixture-price-feed-key',
      PRICE_FEED_URL: stack.fixtureHost.url,
    },
    policyClient,
    chainId: chain.chainId,
    recipientPublicKey,
  })
  await store.secrets.put({ policyClient, policyDataAddress }, envelope)
}
