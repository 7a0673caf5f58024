import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import { type FixtureHost, startFixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import type { HostNames } from 'polgate-fixtures/hostNames.ts'
import type { CleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { type ContentStore, createContentStore } from 'polgate-service/content/contentStore.ts'
import { serveContent } from 'polgate-service/content/serveContent.ts'
import { type ChainImage, contentDirectory } from './chainImage.ts'
import type { Deployment } from './deployFixtures.ts'
import { chainIdFor, ensureDeployment, startChain } from './localChain.ts'
import { startSecondNetwork } from './secondNetwork.ts'
import { type WatchTimes, watchLocalChain } from './watchLocalChain.ts'

/**
 * What a service depends on: a chain with contracts and fixtures, the contents, the fixture host of
 * oracles.
 */
export type LocalFixtures = {
  readonly content: ContentStore
  readonly chain: RunningAnvil
  readonly second: RunningAnvil | undefined
  /** Also serves the contents, below `/ipfs`. */
  readonly host: FixtureHost
  readonly deployment: Deployment
  /** The block of a fork; there is nothing of this stack before it. */
  readonly startBlock: number
}

export type LocalFixturesOptions = {
  /** What `findImage` found. */
  readonly image: ChainImage | undefined
  /** Directory that persists the chain across restarts. */
  readonly dataDir?: string | undefined
  readonly ports?: {
    readonly chain?: number
    readonly fixtureHost?: number
    readonly secondChain?: number
  }
  /** Default 31337, on a fork that of the forked chain. */
  readonly chainId?: number | undefined
  /** The node of a chain to fork, instead of an empty one: without image, data directory and second network. */
  readonly forkUrl?: string | undefined
  readonly secondNetwork?: boolean | undefined
  /** Names in the contents, as the image was found for; default: those of this repository. */
  readonly names?: HostNames | undefined
  readonly progress?: ((step: string) => void) | undefined
  /** Ends the start at its next step. */
  readonly signal?: AbortSignal | undefined
  /**
   * Receives a line when state of a persistent chain was lost or cannot be written, and when a
   * chain becomes unresponsive or responds again. Default: stderr.
   */
  readonly warn?: ((line: string) => void) | undefined
  /** How Anvil is watched for `warn`. */
  readonly watch?: WatchTimes | undefined
  /** Wraps every step; must resolve with its result. */
  readonly step?: <T>(name: string, work: Promise<T>) => Promise<T>
  /** What ends a part is put here as soon as it begins to start. */
  readonly cleanup: CleanupStack
}

export const warnOnStderr = (line: string): void => void process.stderr.write(`warning: ${line}\n`)

/** Starts chain, contracts and fixture host, on free ports unless given. */
export async function startLocalFixtures(options: LocalFixturesOptions): Promise<LocalFixtures> {
  const { dataDir, ports = {}, progress = () => {}, cleanup, forkUrl } = options
  // A fork has accounts and blocks of its own.
  const image = forkUrl === undefined ? options.image : undefined
  const chainId = chainIdFor(image, dataDir, options.chainId)
  const { step = (_, work) => work } = options
  const { warn = warnOnStderr } = options
  const content = createContentStore({ directory: contentDirectory })
  const starting = {
    host: startFixtureHost({
      ...(ports.fixtureHost === undefined ? {} : { port: ports.fixtureHost }),
      ipfs: serveContent(content),
    }),
    chain: startChain({
      ...{ image, dataDir, port: ports.chain, warn },
      ...(chainId !== undefined && { chainId }),
      ...(forkUrl !== undefined && { forkUrl }),
    }),
  }
  // Before they are there: where one of them fails, the other is ended too.
  cleanup.deferStarted(starting.chain, (chain) => chain.stop())
  cleanup.deferStarted(starting.host, (host) => host.stop())
  const [host, chain] = await Promise.all([
    step('fixture host', starting.host),
    step('chain', starting.chain),
  ])
  options.signal?.throwIfAborted()
  const startBlock =
    forkUrl === undefined ? 0 : Number(await chainRpc(chain.url, 'eth_blockNumber', []))
  const deployment = await step(
    'contracts',
    ensureDeployment({
      ...{ image, dataDir, chain, progress, content, contentDirectory },
      names: options.names,
      keepImage: forkUrl === undefined,
    }),
  )
  options.signal?.throwIfAborted()
  const second = options.secondNetwork
    ? await step(
        'second chain',
        startSecondNetwork({ image, dataDir, port: ports.secondChain, deployment, warn }),
      )
    : undefined
  cleanup.defer(() => second?.stop())
  for (const each of second === undefined ? [chain] : [chain, second]) {
    const watch = watchLocalChain(each, warn, options.watch)
    cleanup.defer(() => watch.close())
  }
  return { content, chain, second, host, deployment, startBlock }
}
