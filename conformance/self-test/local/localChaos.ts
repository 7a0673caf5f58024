import { randomBytes } from 'node:crypto'
import type { Chaos } from 'polgate-conformance/kit/servers/chaos.ts'
import { type ChaosLink, serveChaos } from 'polgate-conformance/kit/servers/chaosControl.ts'
import { type ChaosProxy, startChaosProxy } from 'polgate-conformance/kit/servers/chaosProxy.ts'
import { devOperators } from 'polgate-local/devKeys.ts'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import type { LocalStackOptions } from 'polgate-local/localStackOptions.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import type { Operator } from 'polgate-service/operators/operator.ts'
import { operatorConnection } from 'polgate-service/operators/operatorConnection.ts'
import { serveOperator } from 'polgate-service/operators/operatorServer.ts'
import { remoteOperator } from 'polgate-service/operators/remoteOperator.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'

/** Proxies between the components of a local stack, without faults until one is set. */
type LocalChaos = {
  readonly url: string
  /** Options of a stack that uses them. */
  readonly between: <T extends Pick<LocalStackOptions, 'parts' | 'config'>>(options: T) => T
  readonly close: () => Promise<void>
}

const linkOf = (name: string, { url, set, counts }: ChaosProxy): ChaosLink => ({
  name,
  url,
  set,
  counts,
})

/**
 * One operator of the stack: called in this process while its link has no fault, otherwise over
 * HTTP through the proxy, like an operator in a separate process.
 */
function detour(inner: Operator, proxy: ChaosProxy) {
  let away: { readonly operator: Operator; readonly end: () => Promise<unknown> } | undefined

  const open = async () => {
    const { address, id } = inner
    const token = randomBytes(24).toString('base64url')
    const server = await serveOperator({ operator: inner, token, clock: systemClock })
    proxy.to(server.url)
    const connection = operatorConnection({
      ...{ url: proxy.url, token, address, id, clock: systemClock },
    })
    // An operator is used only after it has identified itself: before a fault is set.
    await connection.check()
    const operator = remoteOperator({ connection, address, id })
    return { operator, end: async () => Promise.all([connection.close(), server.close()]) }
  }
  const set = async (chaos: Chaos | undefined) => {
    if (chaos !== undefined) away ??= await open()
    await proxy.set(chaos)
    if (chaos !== undefined || away === undefined) return
    const ended = away
    away = undefined
    await ended.end()
  }
  const here = () => away?.operator ?? inner
  const operator: Operator = {
    address: inner.address,
    id: inner.id,
    collectData: (request, signal) => here().collectData(request, signal),
    evaluate: (request, signal) => here().evaluate(request, signal),
    beginOpening: (task, signal) => here().beginOpening(task, signal),
    sign: (request, signal) => here().sign(request, signal),
    checkSecrets: (request, signal) => here().checkSecrets(request, signal),
  }
  return { operator, set, end: async () => away?.end() }
}

/** Starts the proxies for a stack of this many operators. */
async function startLocalChaos(operators: number): Promise<LocalChaos> {
  const [chain, oracles, ...others] = await Promise.all(
    Array.from({ length: operators + 2 }, () => startChaosProxy()),
  )
  const detours: ReturnType<typeof detour>[] = []
  let opened = 0
  const links = [
    linkOf('chain', chain!),
    linkOf('oracles', oracles!),
    ...others.map((proxy, at) => ({
      ...linkOf(`operator-${at}`, proxy),
      set: async (chaos: Chaos | undefined) => detours[at]?.set(chaos),
    })),
  ]
  const control = await serveChaos(links)

  const throughProxies = (config: ServiceConfigInput): ServiceConfigInput => {
    const [host] = config.oracles?.allowedHosts ?? []
    if (host !== undefined) oracles!.to(`http://${host}`)
    if (config.chain?.rpcUrl !== undefined) chain!.to(config.chain.rpcUrl)
    return {
      ...config,
      chain: { ...config.chain, rpcUrl: chain!.url },
      oracles: {
        ...config.oracles,
        allowedHosts: [...(config.oracles?.allowedHosts ?? []), oracles!.hostPort],
      },
    }
  }
  return {
    url: control.url,
    between: (options) => ({
      ...options,
      config: (given: ServiceConfigInput) => throughProxies(options.config?.(given) ?? given),
      parts: {
        ...options.parts,
        operator: (operator: Operator) => {
          // A service that is restarted opens the same operators again, in the same order.
          const at = opened % operators
          opened += 1
          const changed = options.parts?.operator?.(operator) ?? operator
          const before = detours[at]
          const made = detour(changed, others[at]!)
          detours[at] = made
          void before?.end()
          return made.operator
        },
      },
    }),
    close: async () => {
      await control.close()
      await Promise.all([
        ...detours.map((each) => each.end()),
        ...[chain!, oracles!, ...others].map((proxy) => proxy.close()),
      ])
    },
  }
}

/**
 * A local stack with fault injection on its links; its description contains the control address.
 * Operators in separate processes are reached directly, without fault injection.
 */
export async function startChaosStack(options: LocalStackOptions): Promise<LocalStack> {
  if (options.operatorProcesses) return startLocalStack(options)
  const chaos = await startLocalChaos(devOperators.length)
  try {
    const stack = await startLocalStack({
      ...chaos.between(options),
      chaosUrl: chaos.url,
    })
    return {
      ...stack,
      close: async () => {
        await stack.close()
        await chaos.close()
      },
    }
  } catch (error) {
    await chaos.close()
    throw error
  }
}
