import type { PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CommandError } from '../commandDefinition.ts'
import type { ServiceTarget } from './serviceTarget.ts'

const isKey = (text: string) => /^(0x)?[0-9a-fA-F]{64}$/.test(text)

/**
 * The account of `--key NAME`, the name of an environment variable or of an account of the target.
 *
 * @param option its name, for errors
 * @throws CommandError, which never contains a key
 */
export function accountOfKey(
  target: Pick<ServiceTarget, 'accounts'>,
  name: string,
  option = '--key',
): PrivateKeyAccount {
  if (isKey(name))
    throw new CommandError(`${option} must not be the key itself`, {
      hint: `It would be in the shell's history and visible to other users: put it into an environment variable and pass its name, as in ${option} MY_KEY.`,
    })
  const inFile = accountNamed(target, name)
  if (inFile !== undefined) return privateKeyToAccount(inFile)
  const value = /^[A-Za-z_]\w*$/.test(name) ? process.env[name]?.trim() : undefined
  if (value !== undefined && isKey(value))
    return privateKeyToAccount(`0x${value.replace(/^0x/, '')}`)
  const shown = name.slice(0, 60)
  throw new CommandError(
    value === undefined
      ? `${option} ${shown}: neither an account of the target nor an environment variable`
      : `${option}: the variable ${shown} does not contain a private key`,
    {
      hint: `A key is 32 bytes of hex in a variable. Accounts: ${Object.keys(target.accounts).join(', ') || 'none'}.`,
    },
  )
}

/** The private key of an account that the target describes. */
function accountNamed(
  { accounts }: Pick<ServiceTarget, 'accounts'>,
  name: string,
): `0x${string}` | undefined {
  const account = Object.hasOwn(accounts, name)
    ? accounts[name as keyof typeof accounts]
    : undefined
  return account !== undefined && 'privateKey' in account ? account.privateKey : undefined
}

/** The account of the target that has this address, if its key is known. */
export function accountOfAddress(
  { accounts }: Pick<ServiceTarget, 'accounts'>,
  address: string,
): PrivateKeyAccount | undefined {
  for (const account of Object.values(accounts))
    if ('privateKey' in account && account.address.toLowerCase() === address.toLowerCase())
      return privateKeyToAccount(account.privateKey as `0x${string}`)
  return undefined
}
