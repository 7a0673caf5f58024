import { privateKeyToAccount } from 'viem/accounts'
import {
  type ClientError,
  createExplorerClient,
  createServiceClient,
  type Hex,
  type TaskIntent,
  taskDecision,
  verifyWebhook,
  type WebhookInvalidError,
} from '../index.ts'

type Input = {
  readonly url: string
  readonly explorerUrl: string
  readonly key: string
  readonly policyClient: Hex
  readonly intent: TaskIntent
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: ClientError) => error.code,
  )

/** What a page does with the package. */
async function run({ url, explorerUrl, key, policyClient, intent }: Input) {
  const client = createServiceClient({ url, key, chain: { id: 31_337 } })
  const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
  const signature = await client.signIntent({
    account,
    intent,
    policyClient,
    domain: { name: 'n', version: '1' },
  })
  const { task_id: taskId } = await client.sendTask({ policy_client: policyClient, intent })
  const events: string[] = []
  for await (const event of client.watchTask({ taskId }))
    if (event.type === 'update') events.push(event.event)
  const result = await client.waitForTask({ taskId })
  const envelope = JSON.parse(await client.sealSecrets({ policyClient, secrets: { a: 'b' } }))
  const headers = { 'x-service-signature': `sha256=${'00'.repeat(32)}` }
  const webhook = await verifyWebhook('{}', headers, 's').catch(
    ({ fault }: WebhookInvalidError) => fault,
  )
  let rows = 0
  for await (const _ of createExplorerClient({ url: explorerUrl, key }).iterateTasks()) rows += 1
  const wrong = createServiceClient({ url, key: 'wrong' })
  return {
    events,
    status: result.status,
    allow: taskDecision(result).allow,
    envelope,
    signature,
    webhook,
    rows,
    // A browser does not tell why a handshake was refused.
    refused: await codeOf(wrong.waitForTask({ taskId }, { attempts: 2 })),
    unauthorized: await codeOf(wrong.getSecretsPublicKey()),
  }
}

const call = (options: { url: string; key: string }) =>
  createServiceClient({ ...options, retries: 0 })
    .getSecretsPublicKey()
    .then(
      () => 'none',
      (error: ClientError) => `${error.code} ${error.message}`,
    )

Object.assign(globalThis, { run, call })
