import { type Client, decodeFunctionData, type Hex, parseAbi, slice } from 'viem'
import { getCode, getStorageAt } from 'viem/actions'

/** Of the implementation address in proxies of EIP-1967. */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const minimalProxy = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/

/** The code that a call of the address runs, behind the usual proxies; `undefined` where there is none. */
async function codeBehind(chain: Client, address: Hex): Promise<Hex | undefined> {
  const code = await getCode(chain, { address })
  if (code === undefined) return undefined
  const clone = minimalProxy.exec(code)?.[1]
  if (clone !== undefined) return await getCode(chain, { address: `0x${clone}` })
  const word = await getStorageAt(chain, { address, slot: implementationSlot })
  if (word === undefined || BigInt(word) === 0n) return code
  return await getCode(chain, { address: slice(word, 12) })
}

/**
 * Whether a contract has a function, as its code shows: compilers compare with a constant of four bytes. One
 * that dispatches calls in another way may have it nevertheless.
 */
export async function deployedFunction(
  chain: Client,
  address: Hex,
  selector: Hex,
): Promise<boolean> {
  // Leading zeros of the constant are left out.
  const constant = selector.slice(2).replace(/^(00)+/, '')
  return (await codeBehind(chain, address))?.includes(constant) ?? false
}

/** Whether calldata has the arguments of a readable signature; true for one that cannot be read. */
export function fitsSignature(data: Hex, signature: string): boolean {
  let abi: readonly unknown[]
  try {
    abi = parseAbi([`function ${signature}`] as readonly string[])
  } catch {
    return true
  }
  try {
    decodeFunctionData({ abi: abi as ReturnType<typeof parseAbi>, data })
    return true
  } catch {
    return false
  }
}
