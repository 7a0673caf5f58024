import type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import { intentTypedData } from 'polgate-lib/intents/intentTypedData.ts'
import { hashTypedData } from 'viem'
import { chainIdOf } from '../client/chainIdOf.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { InvalidParamsError } from '../errors/accessErrors.ts'
import { SigningFailedError, toldBy } from '../errors/cryptoErrors.ts'
import type { TaskIntent } from '../generated/rpcTypes.ts'
import type { Hex } from '../hex.ts'
import { type ChainReader, readerOf } from './readerOf.ts'
import { readIntentDomain } from './readIntentDomain.ts'
import { signTypedMessage, type TypedDataSigner } from './signer.ts'

export type HashIntentOptions = {
  readonly intent: TaskIntent
  readonly policyClient: Hex
  /**
   * For a policy client that states no domain: the two constructor arguments of its EIP-712 base.
   * `chainId` and `verifyingContract` default to the chain of the client and the policy client.
   */
  readonly domain?: IntentDomain | undefined
  /** Reads the domain. Default: the first RPC URL of the client's chain. */
  readonly publicClient?: ChainReader | undefined
}

type ChainOf = Pick<BaseClient, 'chain'>

async function typedDataOf(client: ChainOf, options: HashIntentOptions) {
  const { intent, policyClient, domain, publicClient } = options
  const message = messageOf(intent)
  const used =
    domain === undefined
      ? await readIntentDomain(readerOf(client, publicClient), policyClient, message.chainId)
      : {
          ...domain,
          chainId: BigInt(domain.chainId ?? chainIdOf(client)),
          verifyingContract: domain.verifyingContract ?? policyClient,
        }
  return intentTypedData(message, used)
}

/** @throws InvalidParamsError */
function messageOf(intent: TaskIntent) {
  const number = (member: 'value' | 'chain_id') => {
    try {
      return BigInt(intent[member])
    } catch {
      throw new InvalidParamsError({ member: `intent.${member}`, details: 'it must be a Quantity' })
    }
  }
  return {
    from: intent.from,
    to: intent.to,
    value: number('value'),
    data: intent.data,
    chainId: number('chain_id'),
    functionSignature: intent.function_signature as Hex,
  }
}

/**
 * The EIP-712 digest of an intent, which `signIntent` signs, and which a policy reads as
 * `input.intent_digest`.
 *
 * @throws DomainUnknownError, ContractError, InvalidOptionsError, InvalidParamsError; SigningFailedError for
 * members that do not fit their types
 */
export async function hashIntent(client: ChainOf, options: HashIntentOptions): Promise<Hex> {
  const typed = await typedDataOf(client, options)
  try {
    return hashTypedData(typed)
  } catch (cause) {
    throw new SigningFailedError({ cause, details: toldBy(cause) })
  }
}

/**
 * Signs an intent for a policy client; pass the signature as `intent_signature` (section 4.2). The
 * domain is read from the policy client by EIP-5267, or given.
 *
 * @param options.account a local account of viem, or a wallet client with an account
 * @throws DomainUnknownError if the client states no domain, or that of another contract or chain,
 * and none is given; ContractError if the chain cannot be read; InvalidOptionsError, InvalidParamsError,
 * SigningFailedError
 */
export async function signIntent(
  client: ChainOf,
  options: HashIntentOptions & { readonly account: TypedDataSigner },
): Promise<Hex> {
  return await signTypedMessage(options.account, await typedDataOf(client, options))
}
