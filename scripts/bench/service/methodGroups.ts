import { stackClient } from 'polgate-local/testing/stackClient.ts'
import type { MethodName } from 'polgate-protocol/methods.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { samplesOf } from '../../service/samples.ts'
import { type Load, load, type Target } from './load.ts'

/** Methods grouped by kind of work; the requests of a group are timed together. */
export const methodGroups: Readonly<Record<string, readonly MethodName[]>> = {
  keys: ['getSecretsPublicKey', 'getPrivacyPublicKey'],
  simulations: ['simulateTask', 'simulatePolicy'],
  oracles: ['simulatePolicyData', 'simulatePolicyDataWithClient'],
  secrets: ['storeEncryptedSecrets'],
  webhooks: ['registerWebhook'],
  'sealed data, up': ['uploadIdentityEncrypted', 'uploadConfidentialData'],
  'sealed data, down': ['getIdentityEncrypted', 'getConfidentialData'],
  tasks: ['createTask'],
  // Last: its tasks are still running when the responses have arrived.
  'sent tasks': ['sendTask'],
}

export type GroupRow = {
  readonly group: string
  readonly connections: number
  readonly load: Load
}

/** Sends the requests of every group over this many connections, as fast as responses arrive. */
export async function timeGroups(
  stack: StackDescription,
  options: {
    readonly connections: readonly number[]
    readonly seconds: number
    /** Default: all. */
    readonly groups?: readonly string[]
    /** A shorter warm-up: figures are worse. */
    readonly quick?: boolean
    /** Called before each timed load. */
    readonly begin?: () => void
  },
  tell: (row: GroupRow) => void,
): Promise<GroupRow[]> {
  const { call } = stackClient(stack)
  const [secrets, privacy] = await Promise.all([
    call('getSecretsPublicKey', {}),
    call('getPrivacyPublicKey', {}),
  ])
  const samples = await samplesOf(stack, {
    secrets: secrets.result!.public_key,
    privacy: privacy.result!.public_key,
  })
  const target = { url: stack.gatewayUrl, path: '/rpc', key: stack.apiKeys.rpc }
  const rows: GroupRow[] = []
  let next = Date.now() * 1_000
  // Each method gets consecutive numbers from a multiple of four: every fourth sample of some methods
  // runs an oracle, so that every load has the same share of them.
  const bodies = (names: readonly MethodName[], count: number) => {
    const first = Math.ceil(next / 4) * 4
    next = first + count
    return Array.from({ length: count }, (_, at) => {
      const name = names[at % names.length]!
      const method = `${stack.brand.methodPrefix}${name}`
      const params = samples[name](first + Math.floor(at / names.length))
      return JSON.stringify({ jsonrpc: '2.0', id: '1', method, params })
    })
  }
  for (const [group, names] of Object.entries(methodGroups)) {
    if (options.groups?.includes(group) === false) continue
    const { perSecond } = await warmUp(target, (count) => bodies(names, count), options.quick)
    for (const connections of options.connections) {
      const wanted = Math.ceil(perSecond * options.seconds)
      const calls = Math.min(8_000, Math.max(wanted, 4 * connections))
      const sent = bodies(names, calls)
      options.begin?.()
      const timed = await load(target, sent, connections)
      if (timed.failures > 0)
        throw new Error(`${group}: ${timed.failures} failed: ${timed.firstFailure}`)
      const row = { group, connections, load: timed }
      rows.push(row)
      tell(row)
    }
  }
  return rows
}

/** Until the code is compiled: cheap calls need many iterations, expensive ones some seconds. */
async function warmUp(
  target: Target,
  bodies: (count: number) => string[],
  quick = false,
): Promise<Load> {
  const first = await load(target, bodies(quick ? 12 : 40), 4)
  if (quick) return first
  return await load(target, bodies(Math.min(2_000, Math.ceil(first.perSecond * 2))), 8)
}

/** The same requests to a server that only parses and writes JSON. */
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
