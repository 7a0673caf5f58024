import { readFile } from 'node:fs/promises'
import {
  type Account,
  type Chain,
  createWalletClient,
  http,
  type Transport,
  type WalletClient,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { CommandError } from '../commandDefinition.ts'
import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import { publishedOn } from '../publish/publication.ts'
import { chainOf, type ServiceTarget, viemChainOf } from '../stack/serviceTarget.ts'
import { accountOfKey } from '../stack/signingKey.ts'
import { clientAddress } from '../task/intentOptions.ts'

type Hex = `0x${string}`

export type KeyOptions = { readonly key?: string; readonly keyFile?: string }
export type PolicyClientOptions = { readonly client?: string; readonly package?: string }

/** The registry of the target. @throws CommandError if its file names none */
export function registryOf(
  target: ServiceTarget,
  name: 'identityRegistry' | 'confidentialDataRegistry',
): Hex {
  const address = chainOf(target)[name]
  if (address !== undefined) return address as Hex
  throw new CommandError(`${target.file} has no ${name}`, {
    hint: `Add it to chain: { ${name}: "0x..." }.`,
  })
}

/**
 * The account of `--key`, the name of a variable or of an account of the target, or of `--key-file`.
 *
 * @param usual an account of the target, without either option
 * @throws CommandError, which never contains a key
 */
export async function accountOf(
  target: ServiceTarget,
  { key, keyFile }: KeyOptions,
  usual?: string,
): Promise<PrivateKeyAccount> {
  if (key !== undefined && keyFile !== undefined)
    throw new CommandError('--key and --key-file exclude each other', { hint: 'Use one of them.' })
  if (keyFile !== undefined) return await accountOfFile(keyFile)
  const name = key ?? usual
  if (name !== undefined) return accountOfKey(target, name)
  throw new CommandError('no key is given', {
    hint: 'Pass --key with the name of an account of the target or of a variable, or --key-file.',
  })
}

async function accountOfFile(file: string): Promise<PrivateKeyAccount> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(`--key-file cannot be read: ${cause.code ?? 'failed'}`, {
      hint: 'Name a file that contains a private key.',
      cause,
    })
  })
  const digits = text.trim().replace(/^0x/, '')
  if (/^[0-9a-fA-F]{64}$/.test(digits)) return privateKeyToAccount(`0x${digits}`)
  throw new CommandError('--key-file does not contain a private key', {
    hint: 'A key is 32 bytes of hex, and the file has nothing else.',
  })
}

/** A wallet of viem on the chain of the target. */
export const walletOf = (
  target: ServiceTarget,
  account: PrivateKeyAccount,
): WalletClient<Transport, Chain, Account> =>
  createWalletClient({
    ...{ account, chain: viemChainOf(target), transport: http(), pollingInterval: 200 },
  })

/** The policy client of `--client`, else of the published package of `--package`. @throws CommandError */
export async function policyClientOf(
  target: ServiceTarget,
  { client, package: folder }: PolicyClientOptions,
): Promise<Hex> {
  if (client !== undefined || folder === undefined) return clientAddress(target, client)
  const given = await loadPolicyPackage(folder)
  const found = await publishedOn(given.directory, { ...chainOf(target), pid: target.stack?.pid })
  return clientAddress(target, found.client?.address)
}
