import {
  AbstractStartedContainer,
  GenericContainer,
  type StartedTestContainer,
  Wait,
} from 'testcontainers'
import { TestingError } from '../stack/testingError.ts'

/** Ports of the stack in its container. */
const ports = { gateway: 8600, explorer: 8601, chain: 8545 }

const gatewayPath = '/rpc'
/** Milliseconds; the image has everything built, but a busy machine starts it slowly. */
const startMs = 180_000

/**
 * The stack image as a container of testcontainers, for tests that do not run in Node, or next to
 * other containers. Everything is in memory, and ends with the container.
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

  /** @param image built from `scripts/Dockerfile`; there is no public one */
  constructor(image = 'polgate') {
    super(image)
    this.withExposedPorts(...Object.values(ports))
    this.withStartupTimeout(startMs)
    // Any answer of the gateway: without a key it is an error.
    this.withWaitStrategy(
      Wait.forHttp(gatewayPath, ports.gateway).forStatusCodeMatching(() => true),
    )
  }

  /** Prefix of the wire names. Default: the neutral brand. */
  withBrand(brand: string): this {
    if (!/^[a-z][a-z0-9]{0,30}$/.test(brand))
      throw new TestingError(`The brand ${JSON.stringify(brand).slice(0, 60)} is not valid`, {
        code: 'option',
        hint: 'Use 1 to 31 lower-case letters and digits, a letter first.',
      })
    this.#brand = brand
    return this
  }

  override async start(): Promise<StartedServiceContainer> {
    this.withCommand([])
    return new StartedServiceContainer(await super.start(), this.#brand)
  }
}

/** A running stack in a container. */
export class StartedServiceContainer extends AbstractStartedContainer {
  readonly brand: string | undefined

  constructor(started: StartedTestContainer, brand: string | undefined) {
    super(started)
    this.brand = brand
  }

  /** Without a path; the JSON-RPC endpoint is `{gatewayUrl}/rpc`. */
  getGatewayUrl(): string {
    return this.#urlOf(ports.gateway)
  }

  /** Without `/v1`. */
  getExplorerUrl(): string {
    return this.#urlOf(ports.explorer)
  }

  /** JSON-RPC of the chain. */
  getChainUrl(): string {
    return this.#urlOf(ports.chain)
  }

  #urlOf(port: number): string {
    return `http://${this.getHost()}:${this.getMappedPort(port)}`
  }
}
