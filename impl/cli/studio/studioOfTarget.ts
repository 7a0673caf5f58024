import { brandOf, readTargetFile } from 'polgate-conformance/targets/targetFile.ts'
import type { Studio } from 'polgate-studio/server/serveStudio.ts'
import { CommandError } from '../commandDefinition.ts'
import { serveOnFreePort } from './serveOnFreePort.ts'

/**
 * Serves Studio for the gateway of a target file, read-only, whatever its keys may do.
 *
 * @throws CannotRun for a file that is not a target file, CommandError for one without a running gateway
 */
export function serveStudioOfTarget(path: string, port: number | undefined): Promise<Studio> {
  const file = readTargetFile(path, process.env)
  const { gatewayUrl, explorerUrl, chain, keys = {} } = file
  if (gatewayUrl === undefined)
    throw new CommandError(`${path} names no gatewayUrl`, {
      hint: 'Studio shows a gateway that is running: start it, and write its address to the file.',
    })
  // In the order of what is enough to read.
  const [defaultKey] = (['read', 'rpc', 'write'] as const).filter(
    (name) => keys[name] !== undefined,
  )
  if (defaultKey === undefined)
    throw new CommandError(`${path} has no key to read with`, {
      hint: 'Add keys.read, as a variable: ${GATEWAY_READ_KEY}.',
    })
  const target = {
    ...{ name: file.name ?? 'gateway', gatewayUrl, explorerUrl, brand: brandOf(file), defaultKey },
    keys: { [defaultKey]: keys[defaultKey] ?? '' },
    contracts: contractsOf(chain),
    ...(chain === undefined ? {} : { rpcUrl: chain.rpcUrl, chainId: chain.chainId }),
  }
  return serveOnFreePort(target, port)
}

/** The contracts that the file names, as the page knows them. */
const contractsOf = (chain: ReturnType<typeof readTargetFile>['chain']): Record<string, string> =>
  chain === undefined
    ? {}
    : {
        TaskManager: chain.taskManager,
        OperatorRegistry: chain.operatorRegistry,
        ...(chain.policyFactory === undefined ? {} : { PolicyFactory: chain.policyFactory }),
      }
