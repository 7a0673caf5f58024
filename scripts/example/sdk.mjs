// The same as client.mjs, with the SDK: from stored secrets to a spent attestation.
//
//   npx polgate start --exec 'node --import tsx scripts/example/sdk.mjs'
import { readFileSync } from 'node:fs'
import {
  createExplorerClient,
  createIntent,
  createServiceClient,
  spendAttestation,
  taskDecision,
} from 'polgate-client'
import { createWalletClient, defineChain, http, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { waitForTransactionReceipt } from 'viem/actions'

const stack = JSON.parse(readFileSync(process.env.SVC_STACK_FILE ?? '.svc/stack.json', 'utf8'))
const { accounts, apiKeys: keys, brand } = stack
const { policyClient, policyData } = stack.clients['without-secrets']
const chain = defineChain({
  id: stack.chain.chainId,
  name: 'local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [stack.chain.rpcUrl] } },
})
const client = createServiceClient({ url: stack.gatewayUrl, key: keys.rpc, brand, chain })

const { schema } = await client.storeSecrets({
  policyClient,
  policyDataAddress: policyData[0].address,
  secrets: { PRICE_FEED_URL: stack.fixtureHostUrl, PRICE_API_KEY: 'fixture-price-feed-key' },
})
console.log(`secrets        stored; the schema requires ${schema.required.join(', ')}`)

const value = BigInt(Date.now())
const { sender, recipient } = accounts
const intent = createIntent({
  from: sender.address,
  to: recipient.address,
  value,
  chainId: chain.id,
})
const account = privateKeyToAccount(sender.privateKey)
const task = await client.sendTask({
  policy_client: policyClient,
  intent,
  intent_signature: await client.signIntent({ account, intent, policyClient }),
  wasm_args: stringToHex(JSON.stringify({ symbol: 'ETH' })),
})
for await (const event of client.watchTask({ taskId: task.task_id }))
  if (event.type === 'update')
    console.log(`update         ${event.data.progress} %, ${event.event}`)
const result = await client.waitForTask({ taskId: task.task_id })
console.log(`task           ${result.task_id} allowed: ${taskDecision(result).allow}`)

const walletClient = createWalletClient({ account, chain, transport: http(), pollingInterval: 50 })
const funding = await walletClient.sendTransaction({ to: policyClient, value })
await waitForTransactionReceipt(walletClient, { hash: funding })
const { executed, receipt } = await spendAttestation({ walletClient, result })
console.log(`spent          in block ${receipt.blockNumber}, executed: ${executed}`)
const again = await spendAttestation({ walletClient, result }).catch(({ code }) => code)
console.log(`second spend   ${again}`)

const explorer = createExplorerClient({ url: stack.explorerUrl, key: keys.read, brand })
const shown = await explorer.waitForExplorerTask({ taskId: result.task_id })
console.log(`explorer       created in block ${shown.created_block}`)
