#!/usr/bin/env -S node --import tsx
// A policy decides over an identity that nobody but its owner can read.
//
//   npx polgate start --threshold 3 --exec scripts/example/private.mjs
//
// The privacy key is shared among four operators; three of them open the identity, for one task at a time. Exits with
// 1 if anything is not as the lines say.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  createIntent,
  createServiceClient,
  identityLinks,
  linkIdentity,
  registerIdentity,
  revokeIdentityLinks,
  spendAttestation,
  taskDecision,
} from 'polgate-client'
import { createWalletClient, defineChain, http, keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const stack = JSON.parse(await readFile(process.env.SVC_STACK_FILE ?? '.svc/stack.json', 'utf8'))
const { accounts, controlUrl } = stack
const { identityRegistry } = stack.chain
const chain = defineChain({
  id: stack.chain.chainId,
  name: 'local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [stack.chain.rpcUrl] } },
})
const client = createServiceClient({
  url: stack.gatewayUrl,
  key: stack.apiKeys.rpc,
  brand: stack.brand,
  chain,
})
const wallet = ({ privateKey }) =>
  createWalletClient({
    account: privateKeyToAccount(privateKey),
    chain,
    transport: http(),
    pollingInterval: 50,
  })
const user = wallet(accounts.sender)
const stranger = wallet(accounts.stranger)
const identityDomain = keccak256(stringToHex('kyc'))

const say = (name, text) => console.log(`${name.padEnd(15)}${text}`)

function check(holds, what) {
  if (holds) return
  console.error(`not as expected: ${what}`)
  process.exit(1)
}

async function control(path, body) {
  const response = await fetch(`${controlUrl}${path}`, {
    ...(body === undefined ? {} : { method: 'POST' }),
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  check(response.ok, `${path} answers ${JSON.stringify(answer)}`)
  return answer
}

const day = 86_400
const now = async () => (await control('/chain/time')).now / 1_000
const dateIn = async (days) =>
  new Date(((await now()) + days * day) * 1_000).toISOString().slice(0, 10)

/** A policy client with the policy of the template kyc-gate. */
async function publishPolicy() {
  const folder = await mkdtemp(join(tmpdir(), 'polgate-example-'))
  try {
    const cli = fileURLToPath(new URL('../../impl/cli/polgate.mjs', import.meta.url))
    const polgate = (...args) => promisify(execFile)(process.execPath, [cli, 'policy', ...args])
    const place = join(folder, 'kyc-gate')
    await polgate('init', place, '--template', 'kyc-gate')
    await polgate('publish', place, '--fund', '1ether', '--yes')
    const { publications } = JSON.parse(await readFile(join(place, '.published.json'), 'utf8'))
    return publications[0].client.address
  } finally {
    await rm(folder, { recursive: true })
  }
}

let value = 1n
/** A task for an intent that `signer` signs; `from` is its sender. */
async function createTask(policyClient, signer, from = signer, options = {}) {
  value += 1n
  const intent = createIntent({
    from: from.account.address,
    to: accounts.recipient.address,
    value,
    chainId: chain.id,
  })
  const intent_signature = await client.signIntent({
    account: signer.account,
    intent,
    policyClient,
  })
  const task = { policy_client: policyClient, intent, intent_signature }
  return await client.createTask({ ...task, ...options })
}

/**
 * Operators report no reasons of policies with private data: the tasks before and after that are allowed show what a
 * denial depends on.
 */
async function mustDeny(what, policyClient, signer, from) {
  const task = await createTask(policyClient, signer, from)
  check(!taskDecision(task).allow, `${what}, and the task ${task.task_id} is allowed`)
  say(what, 'denied')
}

const register = async (expiration_date) => {
  const identity = {
    status: 'approved',
    birthdate: '1990-02-28',
    address_country_code: 'CH',
    expiration_date,
  }
  const plaintext = new TextEncoder().encode(JSON.stringify(identity))
  const sealed = { walletClient: user, identityRegistry, identityDomain, plaintext }
  return await registerIdentity(client, sealed)
}

const policyClient = await publishPolicy()
say('policy', `kyc-gate at ${policyClient}`)

const { dataRefId, envelope } = await register(await dateIn(1))
check(!envelope.includes('approved'), 'the envelope shows the identity')
say('identity', `sealed and registered as ${dataRefId.slice(0, 18)}..., valid until tomorrow`)

await mustDeny('not linked', policyClient, user)

const link = { identityRegistry, policyClient, clientUser: user.account.address }
await linkIdentity({
  ...{ ...link, walletClient: user, identityOwner: user.account.address },
  identityDomains: [identityDomain],
})
const links = await identityLinks(client, link)
check(links.length === 1 && links[0].dataRefId === dataRefId, 'the link is not on chain')
say('linked', `for ${user.account.address}`)

const allowed = await createTask(policyClient, user)
check(taskDecision(allowed).allow, 'the task of the linked user is denied')
const { executed, receipt } = await spendAttestation({ walletClient: user, result: allowed })
check(executed, 'the intent was not executed')
say('allowed', `${allowed.task_id.slice(0, 18)}..., spent in block ${receipt.blockNumber}`)

await mustDeny('wrong user', policyClient, stranger)
await mustDeny('forged sender', policyClient, stranger, user)

// Two operators are enough to sign here, so what fails is the opening. To show that, they decide a task without private
// data as well.
const open = stack.clients['allow-list'].policyClient
const low = { quorum_threshold_percentage: 30 }
const pairs = [0, 1, 2, 3].flatMap((one) => [0, 1, 2, 3].slice(one + 1).map((two) => [one, two]))
for (const pair of pairs) {
  const others = [0, 1, 2, 3].filter((each) => !pair.includes(each))
  for (const other of others) await control(`/operators/${other}/stop`, {})
  const usual = await createTask(open, user, user, low)
  check(taskDecision(usual).allow, `operators ${pair} cannot decide at all`)
  const error = await createTask(policyClient, user, user, low).catch((thrown) => thrown)
  check(error?.name?.endsWith('Error') && 'operatorErrors' in error, `operators ${pair} opened it`)
  const texts = `${error.message}\n${JSON.stringify(error.operatorErrors)}`
  check(texts.includes('2 of 3 needed'), `operators ${pair} fail for another reason: ${texts}`)
  for (const other of others) await control(`/operators/${other}/start`, {})
  say(`operators ${pair[0] + 1}, ${pair[1] + 1}`, 'cannot open it: 2 of 3 needed shares')
}
for (const absent of [0, 1, 2, 3]) {
  await control(`/operators/${absent}/stop`, {})
  const task = await createTask(policyClient, user, user, low)
  check(taskDecision(task).allow, `three operators without ${absent} deny it`)
  await control(`/operators/${absent}/start`, {})
}
say('any three', 'open it and allow')

await control('/chain/warp', { seconds: 2 * day })
await mustDeny('two days later', policyClient, user)

await register(await dateIn(365))
check(taskDecision(await createTask(policyClient, user)).allow, 'the new identity is denied')
say('new identity', 'in its place, allowed')

await revokeIdentityLinks({ ...link, walletClient: user, identityDomains: [identityDomain] })
await mustDeny('revoked', policyClient, user)
