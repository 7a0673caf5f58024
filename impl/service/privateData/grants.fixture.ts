import type { ConfidentialSource } from 'polgate-chain/confidentialDataRegistry.ts'
import type { IdentityLink } from 'polgate-chain/identityRegistry.ts'
import { keccak256 } from 'polgate-chain/keccak256.ts'
import type { ClientContext } from 'polgate-chain/reads.ts'
import { sealEnvelope } from 'polgate-client/sealing/sealEnvelope.ts'
import { intentTypedData } from 'polgate-lib/intents/intentTypedData.ts'
import type { TaskIntent } from 'polgate-protocol/intent.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import { stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { dataReferenceOf } from '../envelopes/dataReference.ts'
import { intentHash, parseIntent, taskId } from '../intents/intent.ts'
import type { OpeningTask } from '../operators/operator.ts'
import { chainDisagrees } from '../operators/operatorErrors.ts'
import type { GrantChain } from './grantChain.ts'

export const chainId = 31_337
export const client: Address = `0x${'c1'.repeat(20)}`
export const provider: Address = `0x${'b1'.repeat(20)}`
export const domain = keccak256(stringToHex('kyc'))
export const signingDomain = {
  name: 'Client',
  version: '1',
  chainId: BigInt(chainId),
  verifyingContract: client,
}
export const never = new AbortController().signal

/** What a chain says at one block. */
type At = {
  readonly links: readonly (IdentityLink & { readonly clientUser: Address })[]
  readonly sources: readonly ConfidentialSource[]
}

/** A chain whose registries change from block to block. */
export function grantWorld(maxBlocksBehind = 300) {
  const blocks: At[] = [{ links: [], sources: [] }]
  const latest = () => blocks.length - 1
  const at = (block: number | 'latest') => blocks[block === 'latest' ? latest() : block]
  const chain: GrantChain = {
    chainId,
    maxBlocksBehind,
    latestBlock: async () => latest(),
    async contextAt(policyClient, block) {
      if (block > latest()) throw chainDisagrees(`its node does not have block ${block} yet`, true)
      return {
        policyClient,
        blockNumber: block,
        signingDomain,
        policyCid: 'policy',
      } as unknown as ClientContext
    },
    identityLinks: async ({ policyClient, clientUser }, block) =>
      policyClient.toLowerCase() === client
        ? at(block)!.links.filter(
            (link) => link.clientUser.toLowerCase() === clientUser.toLowerCase(),
          )
        : [],
    confidentialSources: async (policyClient, block) =>
      policyClient.toLowerCase() === client ? at(block)!.sources : [],
  }
  return {
    chain,
    latest,
    /** Mines a block with these changes. */
    mine(change: Partial<At> = {}) {
      blocks.push({ ...at('latest')!, ...change })
      return latest()
    },
  }
}

export const userAccount = () => privateKeyToAccount(generatePrivateKey())
export type User = ReturnType<typeof userAccount>

const intent: TaskIntent = {
  from: `0x${'f1'.repeat(20)}`,
  to: `0x${'f2'.repeat(20)}`,
  value: '0x1',
  data: '0x',
  chain_id: '0x7a69',
  function_signature: '0x',
}

export const signedBy = async (user: User, domain = signingDomain): Promise<Data> =>
  await user.signTypedData(
    intentTypedData(parseIntent(intent), domain) as Parameters<User['signTypedData']>[0],
  )

export const idOf = (referenceBlock: number, nonce = 0, policyClient = client): Bytes32 =>
  taskId({
    chainId: BigInt(chainId),
    ...{ policyClient, nonce },
    intentHash: intentHash(parseIntent(intent)),
    taskCreatedBlock: referenceBlock,
  })

/** A task at a block, with the signature of a user. */
export const taskAt = async (
  referenceBlock: number,
  user: User,
  more: Partial<OpeningTask> = {},
): Promise<OpeningTask> => ({
  taskId: idOf(referenceBlock),
  policyClient: client,
  intent,
  intentSignature: await signedBy(user),
  ...{ referenceBlock, nonce: 0, envelopes: [], privacy: {}, ...more },
})

export const sealed = (
  recipientPublicKey: string,
  policyClient: Address,
  plaintext: unknown,
  chain = chainId,
) =>
  sealEnvelope({
    ...{ recipientPublicKey, policyClient, chainId: chain, proven: true },
    plaintext: Buffer.from(typeof plaintext === 'string' ? plaintext : JSON.stringify(plaintext)),
  })

export const linkOf = (user: User, envelope: string, more: Partial<IdentityLink> = {}) => ({
  clientUser: user.address,
  identityDomain: domain,
  identityOwner: user.address,
  dataRefId: dataReferenceOf(envelope),
  ...more,
})

export const sourceOf = (
  envelope: string,
  more: Partial<ConfidentialSource> = {},
): ConfidentialSource => ({
  ...{ dataType: 'blacklist', provider, domain, version: 1, granted: true },
  dataRefId: dataReferenceOf(envelope),
  ...more,
})
