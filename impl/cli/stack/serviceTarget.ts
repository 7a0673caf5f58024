import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createServiceClient, type ServiceClient } from 'polgate-client/index.ts'
import {
  brandOf,
  readStackDescription,
  readTargetFile,
} from 'polgate-conformance/targets/targetFile.ts'
import type { TargetFile } from 'polgate-conformance/targets/targetSchema.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { type Chain, defineChain } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import { detail } from '../verbosity.ts'
import { findStack } from './findStack.ts'

/** Name and description of the option that chooses a service. */
export const targetOption = [
  '--target <file>',
  'a target file, or the description of a stack (default: the running stack)',
] as const

/** A service that commands of policy authors use. */
export type ServiceTarget = {
  /** The file that describes it. */
  readonly file: string
  readonly gatewayUrl: string
  readonly explorerUrl?: string | undefined
  /** Only of a local stack. */
  readonly controlUrl?: string | undefined
  readonly brand: Brand
  readonly keys: NonNullable<TargetFile['keys']>
  readonly chain?: TargetFile['chain']
  readonly accounts: NonNullable<TargetFile['accounts']>
  readonly operators?: TargetFile['operators']
  readonly clients: NonNullable<TargetFile['clients']>
  readonly updatesUrl?: string | undefined
  readonly explorerNetwork?: TargetFile['explorerNetwork']
  /** The description of a running stack on this machine. */
  readonly stack?: StackDescription | undefined
}

/**
 * The service of a target file or of a running stack.
 *
 * @throws CommandError if none is found, CannotRun for a file that is not valid
 */
export async function findTarget(given: string | undefined): Promise<ServiceTarget> {
  if (given === undefined) {
    const { file, stack } = await findStack(undefined)
    return targetOfStack(file, stack)
  }
  const file = resolve(given)
  if (!existsSync(file) || !statSync(file).isFile())
    throw new CommandError(`--target ${given} is not a file`, {
      hint: 'Name a target file (polgate init writes one) or the .svc/stack.json of a stack.',
    })
  detail(`target described by ${file}`)
  const stack = readStackDescription(file)
  if (stack !== undefined) return targetOfStack(file, stack)
  const target = readTargetFile(file, process.env)
  if (target.gatewayUrl === undefined)
    throw new CommandError(`${given} has no gateway`, { hint: 'Set gatewayUrl in this file.' })
  const { gatewayUrl, explorerUrl, controlUrl, updatesUrl, chain, explorerNetwork } = target
  const { keys = {}, accounts = {}, operators, clients = {} } = target
  return {
    ...{ file, gatewayUrl, explorerUrl, controlUrl, updatesUrl, chain, explorerNetwork },
    ...{ keys, accounts, operators, clients },
    brand: brandOf(target),
  }
}

function targetOfStack(file: string, stack: StackDescription): ServiceTarget {
  const { gatewayUrl, explorerUrl, controlUrl, brand, accounts, operators, clients } = stack
  return {
    ...{ file, gatewayUrl, explorerUrl, controlUrl, brand, accounts, operators, clients, stack },
    keys: stack.apiKeys,
    chain: stack.chain,
  }
}

/** The first of these keys that the target has. @throws CommandError */
export function keyOf(target: ServiceTarget, names: readonly ('read' | 'write' | 'rpc')[]): string {
  const key = names.map((name) => target.keys[name]).find((each) => each !== undefined)
  if (key !== undefined) return key
  throw new CommandError(`${target.file} has no API key for this command`, {
    hint: `Add keys: { ${names[0]}: "\${SVC_KEY_${names[0]?.toUpperCase()}}" } and set that variable.`,
  })
}

/** @throws CommandError if the target names no chain */
export function chainOf(target: ServiceTarget): NonNullable<TargetFile['chain']> {
  if (target.chain !== undefined) return target.chain
  throw new CommandError(`${target.file} has no chain`, {
    hint: 'Add chain: { rpcUrl, chainId, taskManager, operatorRegistry } to this file.',
  })
}

/** As viem has it. @throws CommandError */
export function viemChainOf(target: ServiceTarget): Chain {
  const { chainId, rpcUrl } = chainOf(target)
  return defineChain({
    id: chainId,
    name: 'target',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
}

/** @param names which of the target's keys to use, the best first. @throws CommandError */
export function clientOf(
  target: ServiceTarget,
  names: readonly ('read' | 'write' | 'rpc')[] = ['rpc', 'read'],
): ServiceClient {
  const { gatewayUrl, updatesUrl } = target
  return createServiceClient({
    url: gatewayUrl.replace(/\/+$/, ''),
    key: keyOf(target, names),
    brand: target.brand,
    ...(target.chain === undefined ? {} : { chain: viemChainOf(target) }),
    ...(updatesUrl === undefined || updatesUrl.includes('{key}') ? {} : { socketUrl: updatesUrl }),
  })
}
