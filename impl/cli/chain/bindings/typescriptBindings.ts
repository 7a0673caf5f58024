import { abiOf } from 'polgate-chain/artifact.ts'
import { customErrorsAbi } from 'polgate-chain/artifacts/abis.ts'
import type { BoundAddresses, BoundContract } from './boundContracts.ts'

const constantOf = (contract: string): string => `${contract[0]!.toLowerCase()}${contract.slice(1)}`

const abiConstant = (name: string, abi: readonly unknown[]): string =>
  [
    `export const ${name} = [`,
    ...abi.map((entry) => `  ${JSON.stringify(entry)},`),
    '] as const',
  ].join('\n')

/** A module with the ABI of a contract as viem takes it, and with its addresses if they are known. */
export function typescriptModule(contract: BoundContract, at: BoundAddresses | undefined): string {
  const name = constantOf(contract)
  const parts = [abiConstant(`${name}Abi`, abiOf(contract))]
  if (at?.address !== undefined)
    parts.push(`/** On chain ${at.chainId}. */\nexport const ${name}Address = '${at.address}'`)
  const several = Object.entries(at?.addresses ?? {})
  if (at !== undefined && several.length > 0)
    parts.push(
      [
        `/** On chain ${at.chainId}. */`,
        `export const ${name}Addresses = {`,
        ...several.map(([key, address]) => `  ${JSON.stringify(key)}: '${address}',`),
        '} as const',
      ].join('\n'),
    )
  return `${parts.join('\n\n')}\n`
}

/** A module with every custom error: a call reverts with the error of the innermost contract. */
export const typescriptErrors = (): string =>
  `${abiConstant('contractErrorsAbi', customErrorsAbi)}\n`
