import type { GatewayEnvironment } from 'polgate-protocol/environment.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { lastOutput, secretsOfEnvironment } from './command.ts'
import { environmentVariables } from './environment.ts'
import type { Started } from './underTest.ts'

export type ImageOptions = {
  readonly name: string
  readonly command?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** Marks the owner of a container, so that the next run removes those of a killed run. */
const label = 'svc.conformance.pid'
const fileInContainer = '/tmp/svc-environment.json'

/** The client library of the container engine, loaded only for image targets. */
async function engine() {
  // Its cleanup container would have to be pulled; `end` or the next run cleans up instead.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'
  let library: typeof import('testcontainers')
  try {
    library = await import('testcontainers')
  } catch (cause) {
    throw new CannotRun('testcontainers is not installed', 'npm install testcontainers', cause)
  }
  try {
    return { library, client: await library.getContainerRuntimeClient() }
  } catch (cause) {
    throw new CannotRun(
      'no container engine is running',
      'Start Docker, or use a command target.',
      cause,
    )
  }
}

function lives(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Why no image can be started here; undefined if one can. */
export async function whyNoEngine(): Promise<string | undefined> {
  try {
    await engine()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The digest of an image, if it has one. */
export async function digestOf(name: string): Promise<string | undefined> {
  const { client } = await engine()
  const image = client.container.dockerode.getImage(name)
  const { Id } = await image.inspect().catch((cause: Error) => {
    throw new CannotRun(`no image ${name}`, 'Build or pull it first.', cause)
  })
  return /^sha256:[0-9a-f]{64}$/.test(Id) ? Id : undefined
}

/**
 * Starts an image as the gateway under test, on the host network: all its addresses are on
 * loopback.
 */
export async function startImage(
  options: ImageOptions,
  environment: GatewayEnvironment,
): Promise<Started> {
  const { library, client } = await engine()
  const { dockerode } = client.container
  const left = await dockerode.listContainers({ all: true, filters: { label: [label] } })
  for (const { Id, Labels } of left)
    if (!lives(Number(Labels[label])))
      await dockerode
        .getContainer(Id)
        .remove({ force: true })
        .catch(() => {})

  const words = lastOutput()
  const container = new library.GenericContainer(options.name)
    .withNetworkMode('host')
    .withLabels({ [label]: String(process.pid) })
    .withCopyContentToContainer([
      { content: JSON.stringify(environment), target: fileInContainer, mode: 0o444 },
    ])
    .withEnvironment({ ...environmentVariables(environment, fileInContainer), ...options.env })
    .withWaitStrategy(atOnce)
    .withLogConsumer((stream) => stream.on('data', words.hear))
  if (options.command !== undefined) container.withCommand([...options.command])
  const started = await container.start().catch((cause: Error) => {
    throw new CannotRun(
      `the image ${options.name} failed to start: ${cause.message}`,
      undefined,
      cause,
    )
  })
  const gone = dockerode.getContainer(started.getId()).wait()
  let ending: Promise<void> | undefined
  return {
    ended: gone.then(
      () => words.told(secretsOfEnvironment(environment)),
      (error: Error) => error.message,
    ),
    end: () => {
      // Ten seconds for a graceful stop.
      ending ??= started.stop({ timeout: 10_000, remove: true }).then(() => undefined)
      return ending
    },
  }
}

/** Readiness is probed at its port, not reported by the engine. */
const atOnce = {
  waitUntilReady: async () => {},
  withStartupTimeout() {
    return this
  },
  isStartupTimeoutSet: () => true,
  getStartupTimeout: () => 60_000,
}
