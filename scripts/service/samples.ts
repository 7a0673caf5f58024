import { encryptedIdentityData, identityDomainOf } from 'polgate-chain/identityRegistry.ts'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { fixtureApiKey } from 'polgate-fixtures/host/fixtureHost.ts'
import type { MethodName } from 'polgate-protocol/methods.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import { keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Valid params of a method, unique per request so that intents differ. */
export type Samples = Readonly<Record<MethodName, (number: number) => Record<string, unknown>>>

/**
 * Valid params of every method on a local stack: sent by benchmarks, mutated by fuzzers. They
 * contain every known member, so that each is mutated.
 */
export async function samplesOf(
  stack: StackDescription,
  publicKeys: { readonly secrets: string; readonly privacy: string },
): Promise<Samples> {
  const { accounts, chain, clients } = stack
  const named = (name: string) => clients[name]!
  const priced = named('priced-transfer')
  const source = priced.policyData[0]!.address
  const unsealed = named('without-secrets')
  const wasmArgs = encodeWasmArgs({ symbol: 'ETH' }, {})
  const sealed = () =>
    sealSecrets({
      secrets: { PRICE_API_KEY: fixtureApiKey, PRICE_FEED_URL: stack.fixtureHostUrl },
      policyClient: unsealed.policyClient,
      chainId: chain.chainId,
      recipientPublicKey: publicKeys.secrets,
    })
  // Simulations do not open what is stored (decision K17).
  const [envelope, ofSimulations] = [await sealed(), await sealed()]
  const identity = await sealSecrets({
    secrets: { name: 'Ada' },
    policyClient: accounts.owner.address,
    chainId: chain.chainId,
    recipientPublicKey: publicKeys.privacy,
  })
  /** Data reference of the uploaded envelope (decision K5). */
  const reference = keccak256(stringToHex(identity))
  const identitySignature = await privateKeyToAccount(accounts.owner.privateKey).signTypedData({
    domain: identityDomainOf(chain.chainId, chain.identityRegistry!),
    ...encryptedIdentityData,
    message: { data: identity },
  })
  const provider = accounts.provider!.address
  const confidential = await sealSecrets({
    secrets: { score: '700' },
    policyClient: provider,
    chainId: chain.chainId,
    recipientPublicKey: publicKeys.privacy,
  })
  const intent = (number: number) => ({
    from: accounts.sender.address,
    to: accounts.recipient.address,
    value: `0x${(number + 1).toString(16)}`,
    data: '0x',
    chain_id: `0x${chain.chainId.toString(16)}`,
    function_signature: '0x',
  })
  const task = (number: number) => ({
    policy_client: (number % 4 === 0 ? priced : named('allow-list')).policyClient,
    intent: intent(number),
    intent_signature: `0x${'1b'.repeat(65)}`,
    quorum_number: '0x00',
    quorum_threshold_percentage: 67,
    wasm_args: wasmArgs,
    proof_cid: priced.policyData[0]!.wasmCid,
  })
  return {
    createTask: (n) => ({ ...task(n), timeout: 2, include_validate_calldata: true }),
    sendTask: task,
    simulateTask: (n) => ({
      intent: intent(n),
      policy_task_data: {
        policyId: priced.policyId,
        policyAddress: priced.policyAddress,
        policy: '0x',
        policyData: [
          {
            wasmArgs,
            data: '0x7b7d',
            policyDataAddress: source,
            expireBlock: 4_294_967_295,
          },
        ],
      },
      policy_client: priced.policyClient,
      intent_signature: `0x${'1b'.repeat(65)}`,
      wasm_args: wasmArgs,
    }),
    simulatePolicy: (n) => ({
      policy_client: priced.policyClient,
      policy:
        'package policy\n\ndefault allow := false\n\nallow if input.value > data.params.least\n',
      intent: intent(n),
      policy_data: n % 4 === 0 ? [{ policy_data_address: source, wasm_args: wasmArgs }] : [],
      entrypoint: 'policy.allow',
      policy_params: { least: 1 },
      intent_signature: `0x${'1b'.repeat(65)}`,
    }),
    simulatePolicyData: () => ({
      policy_data_address: source,
      chain_id: chain.chainId,
      secrets: Buffer.from(ofSimulations).toString('base64'),
      wasm_args: wasmArgs,
    }),
    simulatePolicyDataWithClient: () => ({
      policy_data_address: source,
      policy_client: priced.policyClient,
      wasm_args: wasmArgs,
    }),
    storeEncryptedSecrets: () => ({
      policy_client: unsealed.policyClient,
      policy_data_address: unsealed.policyData[0]!.address,
      envelope,
    }),
    // A host that does not resolve: failure notifications of other methods are not delivered.
    registerWebhook: () => ({
      url: 'https://receiver.invalid/hook',
      secret: 'a secret of the receiver',
      timeout_seconds: 1,
      max_retries: 0,
      failure_types: ['timeout', 'internal_error'],
    }),
    unregisterWebhook: () => ({}),
    getSecretsPublicKey: () => ({}),
    getPrivacyPublicKey: () => ({}),
    uploadIdentityEncrypted: () => ({
      identity_owner: accounts.owner.address,
      identity_owner_sig: identitySignature,
      envelope: identity,
      identity_domain: reference,
      chain_id: chain.chainId,
    }),
    getIdentityEncrypted: () => ({ data_ref_id: reference }),
    uploadConfidentialData: () => ({
      provider,
      domain: reference,
      envelope: confidential,
      chain_id: chain.chainId,
    }),
    getConfidentialData: () => ({ data_ref_id: keccak256(stringToHex(confidential)) }),
  }
}
