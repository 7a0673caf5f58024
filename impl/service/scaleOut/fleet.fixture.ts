import { randomUUID } from 'node:crypto'
import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { ServiceConfigInput } from '../serviceConfig.ts'
import type { NewKey } from '../store/apiKeys.ts'
import { openStore, type Store } from '../store/openStore.ts'
import { openServer } from '../store/server.ts'
import { type SvcProcess, startSvc } from './processes.fixture.ts'

export type Gateway = SvcProcess<{ readonly gatewayUrl: string; readonly explorerUrl: string }>
export type IndexerProcess = SvcProcess<{ readonly chains: readonly number[] }>

/** A new database on a PostgreSQL server. */
export async function createDatabase(server: string) {
  const maker = await openServer(server)
  const name = `fleet_${randomUUID().replaceAll('-', '')}`
  await maker.execute(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await maker.execute(`drop database ${name} with (force)`)
      await maker.close()
    },
  }
}

/**
 * The service as on several machines: a chain, four operators in separate processes with their own
 * view of the chain, and any number of gateways and indexers on one database. The gateway of the
 * local stack that provides chain and operators has a separate store and takes no part.
 */
export type Fleet = {
  readonly stack: LocalStack
  readonly store: Store
  readonly main: NewKey
  startGateway(): Promise<Gateway>
  startIndexer(): Promise<IndexerProcess>
  /** Suspends or resumes all operators. */
  holdOperators(held: boolean): void
  close(): Promise<void>
}

export async function startFleet(server: string): Promise<Fleet> {
  const gatewayless = (config: ServiceConfigInput) => ({ ...config, explorer: undefined })
  return startWithCleanup(async (cleanup) => {
    const database = await createDatabase(server)
    cleanup.defer(() => database.drop())
    const stack = await startTestStack({ operatorProcesses: true, config: gatewayless })
    cleanup.defer(() => stack.close())
    const store = await openStore({ url: database.url })
    cleanup.defer(() => store.close())
    const main = await store.apiKeys.create({ name: 'main', permissions: ['rpc'] })
    const env = { DATABASE_URL: database.url, SVC_DATABASE_URL: '' }
    const explorer = {
      listen: {},
      indexer: false,
      networks: { testnet: { ...stack.description.networks!.testnet!, pollMs: 250 } },
      rateLimit: { perSecond: 100_000, burst: 100_000 },
    }
    const config = { ...stack.config, admin: undefined, logLevel: 'warn', explorer }
    const { brand, logLevel, content } = config
    const started = async <Ready>(starting: Promise<SvcProcess<Ready>>) => {
      const child = await starting
      cleanup.defer(() => child.end('SIGKILL'))
      return child
    }
    return {
      stack,
      store,
      main,
      startGateway: () => started(startSvc('serve', { ...config, gateway: { port: 0 } }, env)),
      startIndexer: () => started(startSvc('indexer', { brand, logLevel, explorer, content }, env)),
      holdOperators(held) {
        for (const { pid } of stack.operators)
          if (pid !== undefined) process.kill(pid, held ? 'SIGSTOP' : 'SIGCONT')
      },
      close: cleanup.close,
    }
  })
}
