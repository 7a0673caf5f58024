import { createChainClient } from 'polgate-chain/client.ts'
import { ChainReadError } from 'polgate-chain/errors.ts'
import { readClientContext } from 'polgate-chain/reads.ts'
import { readStackFile } from 'polgate-local/stackFile.ts'
import { isCompatible, minimumVersions } from 'polgate-service/tasks/versions.ts'
import { isAddress } from 'viem'
import { CommandError } from './commandDefinition.ts'

export type CompatibilityOptions = {
  readonly policyClient?: string
  readonly rpcUrl?: string
  readonly policy?: string
  readonly policyData?: string
}

/** A contract's version and the minimum version that this service evaluates (decision C14). */
export type Compatibility = {
  readonly contract: 'policy' | 'policyData'
  /** Absent for a version from the command line. */
  readonly address?: string
  readonly version: string
  readonly minimum: string
  readonly compatible: boolean
}

/**
 * Compares versions from the command line, and those of a policy client's contracts on chain, with
 * the versions this service evaluates (section 9, codes -32618 and -32619).
 *
 * @throws CommandError when no version is given, or the chain cannot be read
 */
export async function checkCompatibility(options: CompatibilityOptions): Promise<Compatibility[]> {
  const { policyClient, policy, policyData } = options
  const rows: Compatibility[] = []
  if (policy !== undefined) rows.push(judge('policy', policy))
  if (policyData !== undefined) rows.push(judge('policyData', policyData))
  if (policyClient !== undefined) rows.push(...(await onChain(policyClient, options.rpcUrl)))
  if (rows.length > 0) return rows
  throw new CommandError('Nothing to check', {
    hint: 'Pass --policy-client, or a version with --policy or --policy-data.',
  })
}

function judge(
  contract: Compatibility['contract'],
  version: string,
  address?: string,
): Compatibility {
  const minimum = minimumVersions[contract]
  const compatible = isCompatible(version, minimum)
  return { contract, ...(address === undefined ? {} : { address }), version, minimum, compatible }
}

async function onChain(policyClient: string, given: string | undefined): Promise<Compatibility[]> {
  if (!isAddress(policyClient, { strict: false })) {
    throw new CommandError(`${policyClient} is not an address`, {
      hint: 'An address is 0x and 40 hex digits.',
    })
  }
  const rpcUrl = given ?? process.env.SVC_CHAIN_RPC_URL ?? (await readStackFile())?.chain.rpcUrl
  if (rpcUrl === '')
    throw new CommandError('SVC_CHAIN_RPC_URL is empty', {
      hint: 'A secret that it comes from may be missing. Set it to the URL of a node, or unset it.',
    })
  if (rpcUrl === undefined) {
    throw new CommandError('No chain to read from', {
      hint: 'Pass --rpc-url, set SVC_CHAIN_RPC_URL, or run `polgate start` in this directory.',
    })
  }
  try {
    const client = createChainClient({ rpcUrl })
    const context = await readClientContext({ client, policyClient })
    return [
      judge('policy', context.version, context.policyAddress),
      ...context.policyData.map(({ version, policyDataAddress }) =>
        judge('policyData', version, policyDataAddress),
      ),
    ]
  } catch (cause) {
    if (!(cause instanceof ChainReadError)) throw cause
    throw new CommandError(cause.message, {
      hint: cause.hint ?? 'Check the address and the node of the chain.',
      cause,
    })
  }
}
