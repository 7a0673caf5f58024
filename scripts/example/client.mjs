// From an API key to a spent attestation, with only viem, hpke-js and fetch.
//
//   npx polgate start --exec 'node scripts/example/client.mjs'
//
// One JSON file describes the service: addresses, and development keys.
import { readFileSync } from 'node:fs'
import { AeadId, CipherSuite, KdfId, KemId } from 'hpke-js'
import {
  concat,
  createPublicClient,
  createWalletClient,
  decodeFunctionData,
  defineChain,
  hexToBytes,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  parseEventLogs,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const stack = JSON.parse(readFileSync(process.env.SVC_STACK_FILE ?? '.svc/stack.json', 'utf8'))
const { accounts, chain, brand } = stack
const { policyClient, policyData } = stack.clients['without-secrets']
const source = policyData[0].address

// A key for the owner of the policy client. For other deployments use `polgate keys create`.
const created = await post(`${stack.controlUrl}/keys`, {
  name: 'example',
  permissions: ['rpc'],
  owners: [accounts.owner.address],
})
console.log(`key            ${created.record.id}, created for ${accounts.owner.address}`)

async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return await response.json()
}

/** Calls the gateway; throws for errors and for unsuccessful results. */
async function call(method, params) {
  const request = {
    jsonrpc: '2.0',
    id: crypto.randomUUID(),
    method: brand.methodPrefix + method,
    params,
  }
  const authorization = `Bearer ${created.key}`
  const { result, error } = await post(`${stack.gatewayUrl}/rpc`, request, { authorization })
  if (error) throw new Error(`${method}: ${error.code} ${error.message ?? JSON.stringify(error)}`)
  if (result.success === false || result.status === 'failed')
    throw new Error(`${method}: ${result.error}`)
  return result
}

// The oracle's secrets, sealed to the service for this client on this chain only.
const { public_key } = await call('getSecretsPublicKey', {})
const suite = new CipherSuite({
  kem: KemId.DhkemX25519HkdfSha256,
  kdf: KdfId.HkdfSha256,
  aead: AeadId.Chacha20Poly1305,
})
const secrets = { PRICE_FEED_URL: stack.fixtureHostUrl, PRICE_API_KEY: 'fixture-price-feed-key' }
const sealed = await suite.seal(
  { recipientPublicKey: await suite.kem.importKey('raw', bytesOf(public_key)) },
  new TextEncoder().encode(JSON.stringify(secrets)),
  hexToBytes(keccak256(concat([policyClient, numberToHex(chain.chainId, { size: 8 })]))),
)
const { schema } = await call('storeEncryptedSecrets', {
  policy_client: policyClient,
  policy_data_address: source,
  envelope: JSON.stringify({
    enc: Buffer.from(sealed.enc).toString('hex'),
    ciphertext: Buffer.from(sealed.ct).toString('hex'),
    policy_client: policyClient,
    chain_id: chain.chainId,
    recipient_pubkey: public_key,
  }),
})
console.log(`secrets        stored; the schema requires ${schema.required.join(', ')}`)

function bytesOf(hex) {
  return Uint8Array.from(Buffer.from(hex, 'hex')).buffer
}

// Before spending gas: the output of the oracle, and the decision of the policy.
const wasm_args = stringToHex(JSON.stringify({ symbol: 'ETH' }))
const { policy_data } = await call('simulatePolicyDataWithClient', {
  policy_data_address: source,
  policy_client: policyClient,
  wasm_args,
})
console.log(`oracle         ${JSON.stringify(policy_data.data)}`)
const intent = {
  from: accounts.sender.address,
  to: accounts.recipient.address,
  value: numberToHex(BigInt(Date.now())),
  data: '0x',
  chain_id: numberToHex(chain.chainId),
  function_signature: '0x',
}
const simulated = await call('simulateTask', { policy_client: policyClient, intent, wasm_args })
console.log(`simulation     ${JSON.stringify(simulated.result)}`)

// The task: four operators run the oracle, evaluate the policy and sign.
const task = await call('createTask', {
  policy_client: policyClient,
  intent,
  wasm_args,
  include_validate_calldata: true,
})
console.log(`task           ${task.task_id} ${task.status}, valid until block ${task.expiration}`)

// The client's contract takes the same arguments as the task manager, verifies the attestation, and
// executes the intent.
const abi = parseAbi([
  'struct Intent { address from; address to; uint256 value; bytes data; uint256 chainId; bytes functionSignature; }',
  'struct Task { bytes32 taskId; address policyClient; uint32 nonce; uint32 taskCreatedBlock; uint32 quorumThresholdPercentage; Intent intent; bytes intentSignature; bytes wasmArgs; bytes quorumNumbers; }',
  'struct PolicyData { bytes wasmArgs; bytes data; bytes attestation; address policyDataAddress; uint32 expireBlock; }',
  'struct PolicyTaskData { bytes32 policyId; address policyAddress; bytes policy; PolicyData[] policyData; }',
  'struct PolicyConfig { bytes policyParams; uint32 expireAfter; }',
  'struct TaskResponse { bytes32 taskId; address policyClient; bytes32 policyId; address policyAddress; Intent intent; bytes intentSignature; bytes evaluationResult; PolicyTaskData policyTaskData; PolicyConfig policyConfig; }',
  'function validateAttestationDirect(Task task, TaskResponse response, bytes signatureData) returns (bool)',
  'function executeIntent(Task task, TaskResponse response, bytes signatureData) returns (bool)',
  'event IntentExecuted(bytes32 indexed taskId, bytes returned)',
])
const local = defineChain({
  id: chain.chainId,
  name: 'local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [chain.rpcUrl] } },
})
const reader = createPublicClient({ chain: local, transport: http(), pollingInterval: 50 })
const sender = createWalletClient({
  account: privateKeyToAccount(accounts.sender.privateKey),
  chain: local,
  transport: http(),
})
const mined = (hash) => reader.waitForTransactionReceipt({ hash })
await mined(await sender.sendTransaction({ to: policyClient, value: BigInt(intent.value) }))
const { args } = decodeFunctionData({ abi, data: task.validate_calldata })
const spend = { address: policyClient, abi, functionName: 'executeIntent', args }
// The gas of the signature check varies between blocks: the estimate alone is too low.
const estimate = await reader.estimateContractGas({ ...spend, account: sender.account })
const gas = (estimate * 5n) / 4n
const receipt = await mined(await sender.writeContract({ ...spend, gas }))
if (receipt.status !== 'success') throw new Error(`the intent was reverted, with ${gas} gas`)
const [executed] = parseEventLogs({ abi, logs: receipt.logs, eventName: 'IntentExecuted' })
if (executed?.args.taskId !== task.task_id) throw new Error('the intent was not executed')
console.log(`spent          in block ${receipt.blockNumber} for ${receipt.gasUsed} gas`)

// An attestation can be spent only once.
const again = await reader.simulateContract({ ...spend, account: sender.account }).then(
  () => 'accepted',
  () => 'refused',
)
if (again !== 'refused') throw new Error('the attestation was spent twice')
console.log('second spend   refused')
