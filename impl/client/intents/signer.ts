import type { Account, Chain, LocalAccount, Transport, WalletClient } from 'viem'
import { signTypedData } from 'viem/actions'
import type { SpendingWallet } from '../chain/spendAttestation.ts'
import { SigningFailedError, toldBy } from '../errors/cryptoErrors.ts'

/** What signs typed data: a local account of viem, or a wallet client with an account. */
export type TypedDataSigner =
  | Pick<LocalAccount, 'address' | 'signTypedData'>
  | WalletClient<Transport, Chain | undefined, Account>

export type TypedMessage = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<
    Record<string, readonly { readonly name: string; readonly type: string }[]>
  >
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** Signs with either; their types differ only in what they infer. @throws SigningFailedError */
export async function signTypedMessage(signer: TypedDataSigner, message: TypedMessage) {
  try {
    return await (signer as Pick<LocalAccount, 'signTypedData'>).signTypedData(message)
  } catch (cause) {
    throw new SigningFailedError({ cause, details: toldBy(cause) })
  }
}

export const addressOf = (signer: TypedDataSigner) =>
  'address' in signer && typeof signer.address === 'string'
    ? signer.address
    : (signer as WalletClient<Transport, Chain | undefined, Account>).account.address

/** The account of a client of viem, which need not have actions as methods. */
export function signerOfWallet(client: SpendingWallet): TypedDataSigner {
  const sign = (message: TypedMessage) =>
    signTypedData(client, message as unknown as Parameters<typeof signTypedData>[1])
  return { address: client.account.address, signTypedData: sign as LocalAccount['signTypedData'] }
}
