import { stackClient } from '../../../impl/local/testing/stackClient.ts'
import type { MethodName } from '../../../impl/protocol/methods.ts'
import type { StackDescription } from '../../../impl/protocol/stackDescription.ts'
import { samplesOf } from '../../service/samples.ts'
import { type Load, load, type Target } from './load.ts'

/** What kind of work a method is: its requests are timed together with others of its kind. */
export const methodGroups: Readonly<Record<string, readonly MethodName[]>> = {
  keys: ['getSecretsPublicKey', 'getPrivacyPublicKey'],
  simulations: ['simulateTask', 'simulatePolicy'],
  oracles: ['simulatePolicyData', 'simulatePolicyDataWithClient'],
  tasks: ['createTask'],
  'sent tasks': ['sendTask'],
  secrets: ['storeEncryptedSecrets'],
  webhooks: ['registerWebhook'],
  'sealed data, up': ['uploadIdentityEncrypted', 'uploadConfidentialData'],
  'sealed data, down': ['getIdentityEncrypted', 'getConfidentialData'],
}

export type GroupRow = {
  readonly group: string
  readonly connections: number
  readonly load: Load
}

/** Requests of every group over so many connections, each as fast as the answers come. */
export async function timeGroups(
  stack: StackDescription,
  options: { readonly connections: readonly number[]; readonly callsEach: number },
  tell: (row: GroupRow) => void,
): Promise<GroupRow[]> {
  const { result } = await stackClient(stack).call('getSecretsPublicKey', {})
  const samples = await samplesOf(stack, result!.public_key)
  const target = { url: stack.gatewayUrl, path: '/rpc', key: stack.apiKeys.rpc }
  const rows: GroupRow[] = []
  let number = Date.now() * 1_000
  const bodies = (names: readonly MethodName[], count: number) =>
    Array.from({ length: count }, (_, at) => {
      const name = names[at % names.length]!
      const method = `${stack.brand.methodPrefix}${name}`
      return JSON.stringify({ jsonrpc: '2.0', id: '1', method, params: samples[name](number++) })
    })
  for (const [group, names] of Object.entries(methodGroups)) {
    await load(target, bodies(names, 10), 2)
    for (const connections of options.connections) {
      const calls = Math.max(options.callsEach, 4 * connections)
      const timed = await load(target, bodies(names, calls), connections)
      if (timed.failures > 0)
        throw new Error(`${group}: ${timed.failures} failed: ${timed.firstFailure}`)
      const row = { group, connections, load: timed }
      rows.push(row)
      tell(row)
    }
  }
  return rows
}

/** The same requests to a server that only reads and writes JSON. */
export async function timeEcho(
  target: Target,
  options: { readonly connections: readonly number[]; readonly calls: number },
): Promise<GroupRow[]> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'echo', params: {} })
  const bodies = Array.from({ length: options.calls }, () => body)
  await load(target, bodies.slice(0, 500), 8)
  const rows: GroupRow[] = []
  for (const connections of options.connections)
    rows.push({
      group: 'bare hono echo',
      connections,
      load: await load(target, bodies, connections),
    })
  return rows
}
