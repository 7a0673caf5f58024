import type { Address, PublicClient } from 'viem'
import { confidentialDataRegistryAbi } from './artifacts/abis.ts'
import { readContract } from './readContract.ts'
import type { Transactor } from './transactor.ts'

/** Admits a provider; the transactor's account owns the registry. @throws ChainWriteError */
export async function registerProvider(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  /** `dataType`: what its data is, 1 to 64 bytes. */
  { provider, dataType }: { readonly provider: Address; readonly dataType: string },
): Promise<void> {
  await transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'registerProvider',
    args: [provider, dataType],
  })
}

/** Removes a provider, by the registry's owner or the provider. @throws ChainWriteError */
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

/** The type of a provider's data as of now; undefined where it is no provider. @throws ChainReadError */
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
