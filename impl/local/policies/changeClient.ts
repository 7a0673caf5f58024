import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { sampleClientAbi } from 'polgate-chain/artifacts/abis.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { AppError } from 'polgate-lib/errors/appError.ts'
import type {
  ClientChange,
  ClientDetail,
  SetPolicyBody,
} from 'polgate-protocol/control/policies.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { stringToHex, type TransactionReceipt, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A change of a client that was refused before anything was sent. */
export class ClientChangeError extends AppError<{ hint: string }> {}

/** Changes policy clients with the development keys of their owners. */
export type ClientChanges = {
  /** Whether this is a development account. */
  hasKeyOf(account: Address): boolean
  /** @throws ClientChangeError, ChainWriteError */
  setPolicy(client: ClientDetail, change: SetPolicyBody): Promise<ClientChange>
  /** @throws ClientChangeError, ChainWriteError */
  setOwner(client: ClientDetail, owner: Address): Promise<ClientChange>
}

const accounts = new Map(
  devPrivateKeys.map((key) => {
    const account = privateKeyToAccount(key)
    return [account.address.toLowerCase(), account] as const
  }),
)

export function createClientChanges(rpcUrl: string): ClientChanges {
  async function transactorOf({ address, owner }: ClientDetail) {
    const account = owner === null ? undefined : accounts.get(owner.toLowerCase())
    if (account !== undefined) return await createTransactor({ rpcUrl, account })
    throw owner === null
      ? new ClientChangeError(`the client ${address} has no owner`, {
          hint: 'Nobody can change its policy: deploy another client.',
        })
      : new ClientChangeError(`the stack does not have the key of the owner ${owner}`, {
          hint: 'Send the transaction with the wallet of the owner, or transfer ownership to a development account first.',
        })
  }

  return {
    hasKeyOf: (account) => accounts.has(account.toLowerCase()),

    async setPolicy(client, { policyAddress, params, expireAfter }) {
      const transactor = await transactorOf(client)
      const config = {
        policyParams: stringToHex(paramsObject(params ?? client.params)),
        expireAfter: expireAfter ?? client.expireAfter,
      }
      return changeOf(
        await transactor.write({
          ...{ address: client.address, abi: sampleClientAbi, functionName: 'setPolicy' },
          args: [policyAddress ?? client.policyAddress, config],
        }),
      )
    },

    async setOwner(client, owner) {
      if (owner.toLowerCase() === zeroAddress)
        throw new ClientChangeError('the new owner is the zero address', {
          hint: 'A client without an owner can never be changed again; call setOwner of the contract for that.',
        })
      const transactor = await transactorOf(client)
      return changeOf(
        await transactor.write({
          ...{ address: client.address, abi: sampleClientAbi, functionName: 'transferOwnership' },
          args: [owner],
        }),
      )
    },
  }
}

/** The text unchanged: its digits are exact. */
function paramsObject(text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Below.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text
  throw new ClientChangeError('the parameters are not a JSON object', {
    hint: 'Write them as {"name": value}; the client keeps its policy.',
  })
}

const changeOf = ({ transactionHash, blockNumber }: TransactionReceipt): ClientChange => ({
  transactionHash,
  block: Number(blockNumber),
})
