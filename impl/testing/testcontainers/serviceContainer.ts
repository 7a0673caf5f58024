import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import {
  AbstractStartedContainer,
  GenericContainer,
  type StartedTestContainer,
  Wait,
} from 'testcontainers'
import { TestingError } from '../stack/testingError.ts'
import { describedIn } from './describedIn.ts'

/** Milliseconds; a busy machine, or an image without caches, starts slowly. */
const startMs = 300_000

/**
 * The stack image as a container of testcontainers, for tests outside Node or next to other
 * containers. Everything is in memory, and ends with the container. It uses the network of the host, where
 * its listeners have free ports on loopback: that needs an engine on Linux.
 *
 * ```ts
 * const service = await new ServiceContainer('polgate').withBrand('acme').start()
 * service.getGatewayUrl()
 * ```
 *
 * Tests in Node start faster with `startStack`, which also has snapshots, mocks and a clock.
 */
export class ServiceContainer extends GenericContainer {
  #brand: string | undefined

  /** @param image built from `scripts/Dockerfile`, with the command line as its entry point */
  constructor(image = 'polgate') {
    super(image)
    this.withNetworkMode('host')
    this.withStartupTimeout(startMs)
  }

  /** Prefix of the wire names. Default: the neutral brand. @throws TestingError `option` */
  withBrand(brand: string): this {
    if (!/^[a-z][a-z0-9]{0,30}$/.test(brand))
      throw new TestingError(`The brand ${JSON.stringify(brand).slice(0, 60)} is not valid`, {
        code: 'option',
        hint: 'Use 1 to 31 lower-case letters and digits, a letter first.',
      })
    this.#brand = brand
    return this
  }

  /** @throws TestingError `start` with what the stack printed */
  override async start(): Promise<StartedServiceContainer> {
    const free = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']
    const brand = this.#brand === undefined ? [] : ['--brand', this.#brand]
    this.withCommand(['start', '--json', ...free, ...brand])
    const log = describedIn()
    this.withLogConsumer(log.read)
    this.withWaitStrategy(Wait.forLogMessage(/"gatewayUrl":/))
    this.withStartupTimeout(startMs)
    try {
      const started = await super.start()
      return new StartedServiceContainer(started, await log.description)
    } catch (cause) {
      throw new TestingError(
        `The stack did not start: ${(cause as Error).message}${log.printed()}`,
        {
          code: 'start',
          hint: 'Build the image with scripts/Dockerfile; its entry point is the command line.',
          cause,
        },
      )
    }
  }
}

/** A running stack in a container. */
export class StartedServiceContainer extends AbstractStartedContainer {
  /** URLs, keys, contracts, accounts and sample policy clients. */
  readonly description: StackDescription

  constructor(started: StartedTestContainer, description: StackDescription) {
    super(started)
    this.description = description
  }

  /** Without a path; the JSON-RPC endpoint is `{gatewayUrl}/rpc`. */
  getGatewayUrl(): string {
    return this.description.gatewayUrl
  }

  /** Without `/v1`. */
  getExplorerUrl(): string {
    return this.description.explorerUrl!
  }

  /** JSON-RPC of the chain. */
  getChainUrl(): string {
    return this.description.chain.rpcUrl
  }

  /** An API key by permission. */
  getApiKey(name: keyof StackDescription['apiKeys']): string {
    return this.description.apiKeys[name]!
  }
}
