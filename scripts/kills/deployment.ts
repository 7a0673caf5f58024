import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { startEnvironment } from 'polgate-local/environment.ts'
import { environmentConfig } from 'polgate-local/environmentConfig.ts'
import { startOperators, withOperators } from 'polgate-local/operatorProcesses.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { type SvcProcess, startSvc } from 'polgate-service/scaleOut/processes.fixture.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { startPostgres } from 'polgate-service/store/testing/postgresServer.ts'
import type { KillTarget } from './target.ts'

type Ready = { readonly gatewayUrl: string; readonly explorerUrl: string }

/** A process that is killed, and started again with the same data. */
type Part = {
  readonly name: string
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
}

/**
 * A service of several processes on a chain that stays: a gateway, four operators, and with PostgreSQL an
 * indexer.
 *
 * @param settings.whole whether everything is killed at once, PostgreSQL too, or one process
 */
export const deployment = (settings: {
  readonly home: string
  readonly store: 'embedded' | 'postgres'
  readonly whole: boolean
  readonly keep: boolean
}): Promise<KillTarget> =>
  startWithCleanup(async (cleanup) => {
    const { home, whole, keep } = settings
    const postgres =
      settings.store === 'postgres' ? await startPostgres({ durable: true }) : undefined
    cleanup.defer(async () => postgres?.stop())
    const database =
      postgres === undefined ? { dataDir: join(home, 'store') } : { url: postgres.url }
    const environment = await startEnvironment({ brand: defaultBrand })
    cleanup.defer(() => environment.close())
    const store = await openStore(database)
    for (const { key, name, permissions, owners } of environment.environment.apiKeys)
      await store.apiKeys.create({ key, name, permissions, owners })
    await store.close()

    const listen = { gateway: { port: 0 }, explorer: { port: 0 } }
    const alone = environmentConfig(
      { ...environment.environment, listen } as Parameters<typeof environmentConfig>[0],
      contentDirectory,
    )
    const operators = await startOperators(alone)
    cleanup.defer(() => Promise.all(operators.map((each) => each.end())))
    const config = { ...withOperators(alone, operators), store: database }

    let gateway: SvcProcess<Ready> | undefined
    const parts: Part[] = [
      command('the gateway', async () => {
        const explorer = { ...config.explorer, indexer: postgres === undefined }
        gateway = await startSvc<Ready>('serve', { ...config, explorer }, {})
        return gateway
      }),
      ...operators.map((operator, at) => ({
        name: `operator ${at}`,
        start: () => operator.start(),
        kill: () => operator.stop(),
        stop: () => operator.end(),
      })),
    ]
    if (postgres !== undefined) {
      const { brand, content, explorer } = config
      const own = { brand, content, store: database, explorer: { ...explorer, listen: undefined } }
      parts.push(command('the indexer', () => startSvc<unknown>('indexer', own, {})))
    }
    cleanup.defer(() => Promise.all(parts.map((each) => each.stop())))
    let startDatabase: (() => Promise<void>) | undefined

    return {
      async start() {
        await startDatabase?.()
        startDatabase = undefined
        await Promise.all(parts.map((each) => each.start()))
        return { ...environment.bed, ...gateway!.ready, apiKeys: environment.apiKeys }
      },
      async kill() {
        if (!whole) {
          const part = parts[Math.floor(Math.random() * parts.length)]!
          await part.kill()
          return part.name
        }
        const [startAgain] = await Promise.all([
          postgres?.crash(),
          ...parts.map((each) => each.kill()),
        ])
        startDatabase = startAgain
        return postgres === undefined ? 'all processes' : 'all processes and PostgreSQL'
      },
      async stop() {
        await Promise.all(parts.map((each) => each.stop()))
      },
      database,
      async close() {
        await cleanup.close()
        if (!keep) await rm(home, { recursive: true, force: true })
      },
    }
  })

function command(name: string, run: () => Promise<SvcProcess<unknown>>): Part {
  let running: SvcProcess<unknown> | undefined
  const end = async (signal: NodeJS.Signals) => {
    await running?.end(signal)
    running = undefined
  }
  return {
    name,
    async start() {
      running ??= await run()
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
