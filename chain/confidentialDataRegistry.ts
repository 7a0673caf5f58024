import type { Address, PublicClient } from 'viem'
import { confidentialDataRegistryAbi } from './artifacts/abis.ts'
import { readContract } from './readContract.ts'
import type { Transactor } from './transactor.ts'

/** Adds a provider; the transactor's account must own the registry. @throws ChainWriteError */
export async function registerProvider(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  /** `dataType`: the type of its data, 1 to 64 bytes. */
  { provider, dataType }: { readonly provider: Address; readonly dataType: string },
): Promise<void> {
  await transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'registerProvider',
    args: [provider, dataType],
  })
}

/** Removes a provider; by the registry's owner or the provider. @throws ChainWriteError */
export async function removeProvider(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  provider: Address,
): Promise<void> {
  await transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'removeProvider',
    args: [provider],
  })
}

/**
 * The current data type of a provider; undefined if it is not a provider. @throws ChainReadError
 */
export async function readProviderDataType(
  client: PublicClient,
  confidentialDataRegistry: Address,
  provider: Address,
): Promise<string | undefined> {
  const dataType = await readContract(confidentialDataRegistry, () =>
    client.readContract({
      address: confidentialDataRegistry,
      abi: confidentialDataRegistryAbi,
      functionName: 'providerDataType',
      args: [provider],
    }),
  )
  return dataType === '' ? undefined : dataType
}
