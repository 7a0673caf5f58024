import { counted } from 'polgate-lib/text/counted.ts'
import { createPublicClient, http } from 'viem'
import { failureText } from '../../core/failureText.ts'
import type { Target } from '../../core/target.ts'
import { startWebhookReceiver } from '../../kit/servers/webhookReceiver.ts'
import { receiverUrl } from '../../targets/places.ts'
import { createExplorer } from '../../wire/explorer.ts'
import { tolerableSkew } from './diagnoseChain.ts'
import { type Diagnosed, notOk, ok } from './diagnosis.ts'

type Fetch = typeof fetch

/** The gateway's RPC endpoint: its latency and its clock. */
export async function examineGateway(target: Target, fetch: Fetch): Promise<readonly Diagnosed[]> {
  const begun = Date.now()
  const response = await fetch(`${target.gatewayUrl}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  })
  const ended = Date.now()
  const ms = ended - begun
  await response.body?.cancel()
  const date = Date.parse(response.headers.get('date') ?? '')
  // The date was written at some time between request and response.
  const skew = Math.round((date - Math.min(Math.max(date, begun), ended)) / 1000)
  return [
    ok('gateway', 'door', `${target.gatewayUrl}/rpc answers in ${ms} ms (HTTP ${response.status})`),
    Number.isNaN(date)
      ? notOk('warn', 'gateway', 'clock', 'its responses have no date header')
      : Math.abs(skew) > tolerableSkew
        ? notOk(
            'warn',
            'gateway',
            'clock',
            `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`,
            'Deadlines and expiries will be off: correct one of the clocks.',
          )
        : ok('gateway', 'clock', 'same as this machine'),
  ]
}

/** Whether requests to the webhook address arrive here; the gateway's route is not tested. */
export async function examineReceiver(target: Target): Promise<Diagnosed> {
  if (receiverUrl(target, 1) === undefined)
    return notOk(
      'missing',
      'surfaces',
      'webhook receiver',
      'the gateway cannot reach loopback',
      'Set webhookReceiver: {url, port} in the target file, such as the address of a tunnel.',
    )
  const receiver = await startWebhookReceiver(target.webhookReceiver ?? {})
  try {
    const url = receiverUrl(target, receiver.port)!
    const mailbox = receiver.open([204])
    await fetch(`${url}${mailbox.path}`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(10_000),
    })
    return (await mailbox.wait(1, 1_000))
      ? ok('surfaces', 'webhook receiver', `requests to ${url} arrive here`)
      : notOk(
          'missing',
          'surfaces',
          'webhook receiver',
          `${url} answers, but not from this machine`,
        )
  } catch (error) {
    const hint = 'Does the address forward to the port of webhookReceiver?'
    return notOk('missing', 'surfaces', 'webhook receiver', failureText(error), hint)
  } finally {
    await receiver.close()
  }
}

/** Number of recent blocks searched for a task. */
const recheckPosted = 1_000n

/** How far the explorer is behind the chain, by the newest event of the task manager. */
export async function examineExplorer(target: Target, fetch: Fetch): Promise<Diagnosed> {
  const { explorerUrl, chain } = target
  if (explorerUrl === undefined) {
    const hint = 'Set explorerUrl in the target file.'
    return notOk('missing', 'surfaces', 'explorer', 'the target has none', hint)
  }
  const transport = { baseUrl: explorerUrl, keys: target.keys, fetch }
  const explorer = createExplorer(transport, target.brand, target.explorerNetwork, {
    saw: () => {},
  })
  const { status, json } = await explorer.get('/task', { query: { size: 1 } })
  const total = (json as { total?: unknown } | undefined)?.total
  if (status !== 200 || typeof total !== 'number')
    return notOk('missing', 'surfaces', 'explorer', `/v1/task answers HTTP ${status}`)
  const says = `${explorerUrl} shows ${counted(total, 'task')}`
  const newest = (json as { results?: { created_block?: number | null }[] }).results?.[0]
  if (chain === undefined || newest === undefined) return ok('surfaces', 'explorer', says)
  const client = createPublicClient({ transport: http(chain.rpcUrl, { timeout: 15_000 }) })
  const head = await client.getBlockNumber()
  const fromBlock = head > recheckPosted ? head - recheckPosted : 0n
  const logs = await client.getLogs({ address: chain.taskManager, fromBlock }).catch(() => [])
  const last = Number(logs.at(-1)?.blockNumber ?? 0n)
  const behind = last - (newest.created_block ?? last)
  return behind > 50
    ? notOk(
        'warn',
        'surfaces',
        'explorer',
        `${says}; the newest is ${counted(behind, 'block')} behind`,
      )
    : ok('surfaces', 'explorer', says)
}
