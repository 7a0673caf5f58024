import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { startedUnlessAborted } from 'polgate-lib/async/startedUnlessAborted.ts'
import { startLocalStack } from 'polgate-local/localStack.ts'
import {
  readStackFile,
  removeStackFile,
  stackFilePath,
  writeStackFile,
} from 'polgate-local/stackFile.ts'
import { registerStack, unregisterStack } from 'polgate-local/stackRegistry.ts'
import { CommandError } from '../commandDefinition.ts'
import { bootOnFreePorts } from '../freePorts.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { publishedFileOf } from '../publish/publication.ts'
import { checkWritable, preferred } from '../runStack.ts'
import { findTarget, type ServiceTarget } from '../stack/serviceTarget.ts'
import { type DevHosts, openDevHosts, runningDevHosts } from './devHosts.ts'

/** The stack that a package is developed on. */
export type DevStack = {
  readonly target: ServiceTarget
  /** Whether it ends with this process. */
  readonly own: boolean
  /** What hosts answer; undefined where that cannot be replaced. */
  readonly hosts: DevHosts | undefined
  /** Name of the state file in the package; default: that of `policy publish`. */
  readonly stateFile: string | undefined
  close(): Promise<void>
}

/**
 * Starts a stack that ends with this process. Its chain ends too, so that its publication is not the one of
 * `policy publish`.
 *
 * @throws CommandError, the reason of the signal
 */
export async function startDevStack(
  given: PolicyPackage,
  options: {
    readonly port: number | undefined
    readonly allowHost: readonly string[]
    readonly progress: (step: string) => void
    readonly signal: AbortSignal
  },
): Promise<DevStack> {
  const { port, allowHost, progress, signal } = options
  if ((await readStackFile(stackFilePath)) !== undefined)
    throw new CommandError('a stack is running in this folder', {
      hint: 'Use it with polgate dev --running, or end it first.',
    })
  checkWritable(stackFilePath)
  await removeOldStates(given.directory)
  const cleanup = createCleanupStack()
  try {
    const hosts = await openDevHosts()
    cleanup.defer(hosts.close)
    const ports = { ...preferred, ...(port === undefined ? {} : { gateway: port }) }
    const stack = await startedUnlessAborted(signal, {
      starting: bootOnFreePorts(ports, (free) =>
        startLocalStack({
          ports: free,
          timeTravel: true,
          allowedOracleHosts: [...allowHost, ...privateHosts(given)],
          parts: { oracleEgress: hosts.egress },
          progress,
          signal,
        }),
      ),
      close: (started) => started.close(),
    })
    cleanup.defer(stack.close)
    const stateFile = publishedFileOf(process.pid)
    cleanup.defer(
      () => rm(join(given.directory, stateFile), { force: true }),
      () => unregisterStack(process.pid),
      () => removeStackFile(process.pid, stackFilePath),
    )
    await writeStackFile(stack.description, stackFilePath)
    // Commands in other folders find it; one of this folder reads the file.
    await registerStack(process.pid, stackFilePath).catch(() => {})
    const target = await findTarget(stackFilePath)
    return { target, own: true, hosts, stateFile, close: cleanup.close }
  } catch (error) {
    await cleanup.close()
    throw error
  }
}

/** A stack that another process runs, which stays. @throws CommandError */
export async function runningDevStack(target: string | undefined): Promise<DevStack> {
  const found = await findTarget(target)
  if (found.stack === undefined)
    throw new CommandError(`${found.file} does not describe a local stack`, {
      hint: 'dev publishes after every save, which costs nothing on a local stack only. Use policy publish for others.',
    })
  const hosts = await runningDevHosts(found.stack.controlUrl)
  return {
    ...{ target: found, own: false, hosts, stateFile: undefined },
    close: async () => hosts?.close(),
  }
}

/** What oracles may ask on this machine: the guard of the service allows it by host and port only. */
const privateHosts = ({ oracles }: PolicyPackage): readonly string[] =>
  oracles.flatMap(({ allowedHosts }) => allowedHosts.filter((host) => /:\d{1,5}$/.test(host)))

/** The states of processes that were killed. */
async function removeOldStates(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid] = /^\.published\.dev-(\d{1,10})\.json$/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(directory, name))
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
