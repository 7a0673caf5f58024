import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { sealEnvelope } from 'polgate-service/envelopes/envelope.ts'
import { sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import { keccak256, stringToHex } from 'viem'
import type { Client } from './client.ts'
import type { Cluster } from './cluster.ts'
import { type Acknowledged, type Ledger, replaceValue } from './ledger.ts'

/** A request of the mix and its relative frequency. */
export type WeightedRequest = {
  readonly weight: number
  readonly send: () => Promise<unknown>
}

/**
 * The mixed load: tasks with and without an oracle, simulations, all kinds of writes, and reads.
 */
export async function requestMix(
  { environment }: Cluster,
  ledger: Ledger,
  client: Client,
): Promise<readonly WeightedRequest[]> {
  const { bed, apiKeys } = environment
  const { chainId } = bed.chain
  const priced = bed.clients['priced-transfer']!
  const pricedSecrets = environment.secrets.find(
    ({ policyClient }) => policyClient === priced.policyClient,
  )!
  const provider = bed.accounts.provider!.address
  const wasmArgs = encodeWasmArgs({ symbol: 'ETH' }, {})
  const secretsKey = (await client.call('getSecretsPublicKey', {}, apiKeys.rpc))!.public_key
  const privacyKey = (await client.call('getPrivacyPublicKey', {}, apiKeys.rpc))!.public_key
  let number = 0

  const task = (name: string, args: object = {}) => {
    number += 1
    return {
      policy_client: bed.clients[name]!.policyClient,
      intent: {
        from: bed.accounts.sender.address,
        to: bed.accounts.recipient.address,
        value: `0x${number.toString(16)}`,
        data: '0x',
        chain_id: `0x${chainId.toString(16)}`,
        function_signature: '0x',
      },
      ...args,
    }
  }
  const keep = (id: string, status: Acknowledged) => {
    const name = id.toLowerCase()
    if (ledger.tasks.has(name)) ledger.repeatedIds.add(name)
    ledger.tasks.set(name, status)
  }
  const create = async (params: object) => {
    const result = await client.call('createTask', params, apiKeys.rpc)
    if (result?.task_id) keep(result.task_id, result.status as Acknowledged)
  }
  const send = async (params: object) => {
    const result = await client.call('sendTask', params, apiKeys.rpc)
    if (result !== undefined) keep(result.task_id, 'sent')
  }
  const storeSecrets = async () => {
    const { policyClient, policyDataAddress, secrets } = pricedSecrets
    const envelope = await sealSecrets({
      secrets,
      policyClient,
      chainId,
      recipientPublicKey: secretsKey,
    })
    await replaceValue(
      ledger.secrets,
      `${policyClient}/${policyDataAddress}`,
      envelope,
      async () => {
        const result = await client.call(
          'storeEncryptedSecrets',
          { policy_client: policyClient, policy_data_address: policyDataAddress, envelope },
          apiKeys.write,
        )
        return result?.success === true
      },
    )
  }
  const registerWebhook = async () => {
    number += 1
    const url = `https://receiver.invalid/${number}`
    await replaceValue(ledger.webhooks, 'rpc', url, async () => {
      const params = { url, max_retries: 0, timeout_seconds: 1 }
      return (await client.call('registerWebhook', params, apiKeys.rpc))?.success === true
    })
  }
  const upload = async () => {
    number += 1
    const envelope = await sealEnvelope({
      plaintext: Buffer.from(`{"score":"${number}"}`),
      policyClient: provider,
      chainId,
      recipientPublicKey: privacyKey,
    })
    const domain = keccak256(stringToHex(envelope))
    const params = { provider, domain, envelope, chain_id: chainId }
    const result = await client.call('uploadConfidentialData', params, apiKeys.write)
    if (result?.success === true) ledger.sealedData.set(result.data_ref_id!.toLowerCase(), envelope)
  }

  await storeSecrets()
  return [
    { weight: 6, send: () => create(task('allow-list')) },
    { weight: 4, send: () => create(task('priced-transfer', { wasm_args: wasmArgs })) },
    { weight: 4, send: () => send(task('allow-list')) },
    { weight: 2, send: () => send(task('priced-transfer', { wasm_args: wasmArgs })) },
    { weight: 1, send: () => create(task('trapping-oracle')) },
    { weight: 2, send: storeSecrets },
    { weight: 2, send: upload },
    { weight: 1, send: registerWebhook },
    { weight: 2, send: () => client.call('getSecretsPublicKey', {}, apiKeys.rpc) },
    {
      weight: 2,
      send: () =>
        client.call(
          'simulatePolicyDataWithClient',
          {
            policy_client: priced.policyClient,
            policy_data_address: priced.policyData[0]!.address,
            wasm_args: wasmArgs,
          },
          apiKeys.rpc,
        ),
    },
    { weight: 2, send: () => client.explore('/task?size=20', apiKeys.rpc) },
  ]
}
