import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { authenticate } from './gateway/authentication.ts'
import type { Caller } from './gateway/ports.ts'
import { type Operation, operation, type Setting, type Steps } from './interleavings.fixture.ts'
import type { SealedDataDeps } from './sealedData/sealedDataDeps.ts'
import { createSealedData } from './sealedData/sealedDataService.ts'
import type { Database } from './store/database.ts'
import { type Store, storeOn } from './store/openStore.ts'
import { admit } from './tasks/admit.ts'
import { createChainReads } from './tasks/chainReads.ts'
import { simulatePolicyDataWithClient } from './tasks/simulatePolicyDataWithClient.ts'
import { noStopwatch } from './tasks/stopwatch.ts'
import { storeEncryptedSecrets } from './tasks/storeEncryptedSecrets.ts'
import { createTaskAdmissionLimit } from './tasks/taskAdmissionLimit.ts'
import type { TaskDeps } from './tasks/taskDeps.ts'
import { createTaskUpdates } from './tasks/taskUpdates.ts'
import { minimumVersions } from './tasks/versions.ts'
import { createRegistry } from './webhooks/registry.ts'

/** The requests that change what a service has stored, and the changes around it that decide on them. */

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const bytes32 = (n: number): Bytes32 => `0x${n.toString(16).padStart(64, '0')}`
const chainId = 31_337
const policyClient = address(1)
const policyData = address(2)
const taskManager = address(3)
const recipient = '77'.repeat(32)
const owners = { first: address(0xa), second: address(0xb) }

/** By key: its owner. `mate` has an owner in common with `first`, `second` has not. */
const keyOwners: Readonly<Record<string, Address>> = {
  first: owners.first,
  mate: owners.first,
  second: owners.second,
}

/** What a chain says, and what operations change of it. */
type ChainState = { owner: Address; block: number; dataType: string | undefined; accepts: boolean }

export type World = {
  readonly store: Store
  readonly tasks: TaskDeps
  readonly sealedData: SealedDataDeps
  readonly steps: Steps
  readonly chain: ChainState
  /** The store without steps. */
  readonly atOnce: Store
}

/** Replaces parts of the store, to show that a fault is found. */
export type StoreFault = (store: Store) => Partial<Store>

const marked = (mark: string): string => Buffer.from(mark.padEnd(32)).toString('hex')

const envelopeOf = (mark: string, client: Address) =>
  JSON.stringify({
    // An envelope submitted for one use is stored for no other (decision K17): no two share a part.
    ...{ enc: marked(`enc of ${mark}`), ciphertext: marked(mark) },
    ...{ policy_client: client, chain_id: chainId, recipient_pubkey: recipient },
  })

/** Every statement is a step, and so is a transaction: the embedded engine runs one at a time. */
const stepping = (database: Database, steps: Steps): Database => ({
  ...database,
  query: (sql, ...rest) => steps(sql.trim().slice(0, 40), () => database.query(sql, ...rest)),
  transaction: (work) => steps('transaction', () => database.transaction(work)),
})

function tasksOn(store: Store, chain: ChainState, steps: Steps, clock: () => number): TaskDeps {
  const read = <T>(name: string, value: () => T) => steps(name, async () => value())
  const contract = { policyDataAddress: policyData, version: '1.0.0', secretsSchemaCid: 'schema' }
  return {
    ...{ store, secrets: store.secrets, fingerprints: store.fingerprints, clock, minimumVersions },
    ...{ gatewayId: 'gateway', stopwatch: noStopwatch, updates: createTaskUpdates(() => {}) },
    brand: { topicPrefix: 'task:', methodPrefix: 'svc_' },
    chain: {
      ...{ chainId, taskManager },
      latestBlock: () => read('latest block', () => chain.block),
      owner: () => read('owner', () => ({ owner: chain.owner, block: chain.block })),
      policyData: () => read('policy data', () => ({ ...contract, wasmCid: 'wasm' })),
      clientAndOperators: () =>
        read('client', () => ({ client: { version: '1.0.0', taskManager, policyData: [] } })),
    },
  } as unknown as TaskDeps
}

const sealedDataOn = (store: Store, chain: ChainState, steps: Steps): SealedDataDeps => ({
  store: store.sealedData,
  fingerprints: store.fingerprints,
  chain: {
    chainId,
    now: () => steps('chain time', async () => 1_000),
    identityRegistry: () => address(4),
    providerDataType: () => steps('data type', async () => chain.dataType),
    isContractSignature: () => steps('contract signature', async () => chain.accepts),
  },
  signer: { signTypedData: async ({ message }) => JSON.stringify(message, bigintsAsText) as never },
  privacyKeys: () => [recipient],
})

const bigintsAsText = (_: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value

/** All tables that operations write, emptied by one statement, which is planned once. */
const emptied = `with a as (delete from secrets), b as (delete from webhooks), c as (delete from tasks),
  d as (delete from identity_data), e as (delete from confidential_data),
  f as (delete from envelope_fingerprints) delete from api_keys`

const left = `select
  (select json_agg(envelope) from secrets) as secrets,
  (select json_agg(url) from webhooks) as webhooks,
  (select json_agg(identity_domain) from identity_data) as identity,
  (select json_agg(data_type) from confidential_data) as confidential,
  (select json_agg(json_build_array(api_key_id, status) order by nonce) from tasks) as tasks`

export function settingOn(database: Database, fault: StoreFault = () => ({})): Setting<World> {
  return {
    async restart(steps) {
      let now = 1_000_000
      let drawn = 0
      const sources = {
        clock: () => now++,
        random: (size: number) => new Uint8Array(size).fill(++drawn),
      }
      const faulty = (store: Store): Store => ({ ...store, ...fault(store) })
      const atOnce = storeOn(database, sources)
      await database.query(emptied)
      const keys = new Map<string, string>()
      for (const [name, owner] of Object.entries(keyOwners)) {
        const { key } = await atOnce.apiKeys.create({ name, permissions: ['rpc'], owners: [owner] })
        keys.set(name, key)
      }
      const chain = { owner: owners.first, block: 1, dataType: 'kyc', accepts: true }
      const store = faulty(storeOn(stepping(database, steps), sources))
      const world = {
        ...{ store, steps, chain, atOnce },
        tasks: tasksOn(store, chain, steps, sources.clock),
        sealedData: sealedDataOn(store, chain, steps),
      }
      return { world, keys }
    },
    outcome: async () => (await database.query(left))[0],
  }
}

const request = (
  name: string,
  key: string,
  call: (world: World, caller: Caller) => Promise<unknown>,
): Operation<World> =>
  operation(`${key} ${name}`, async (world, keys) =>
    call(world, await authenticate(world.store.apiKeys, `Bearer ${keys.get(key)}`)),
  )

/** An operator, whose call takes a step. */
const calling =
  ({ steps }: World) =>
  (call: (operator: never, signal: AbortSignal) => Promise<unknown>) => {
    const operator = {
      checkSecrets: () => steps('operator', async () => ({ schema: '{}' })),
      collectData: ({ sources }: { sources: readonly { envelope: string }[] }) =>
        steps('operator', async () => ({ outputs: [sources[0]!.envelope], timings: {} })),
    }
    return call(operator as never, new AbortController().signal)
  }

const upload = (key: string) =>
  request('stores secrets', key, (world, caller) => {
    const envelope = envelopeOf(`secrets of ${key}`, policyClient)
    const params = { policy_client: policyClient, policy_data_address: policyData, envelope }
    return storeEncryptedSecrets(world.tasks, calling(world) as never, params, caller)
  })

const simulate = (key: string) =>
  request('simulates with secrets', key, async (world, caller) => {
    const params = { policy_client: policyClient, policy_data_address: policyData }
    const simulation = { deps: world.tasks, ask: calling(world) } as never
    const answer = await simulatePolicyDataWithClient(simulation, params as never, caller)
    return { success: answer.success, data: (answer.policy_data?.data as { text?: string })?.text }
  })

const submit = (key: string) =>
  request('submits an intent', key, async ({ tasks }, caller) => {
    const parts = {
      load: createTaskAdmissionLimit(),
      reads: createChainReads(tasks.chain),
      closing: new AbortController().signal,
    }
    const intent = {
      ...({ from: address(5), to: address(6), value: '0x1', chain_id: '0x7a69' } as const),
      ...({ data: '0x', function_signature: '0x' } as const),
    }
    const params = { policy_client: policyClient, intent }
    const { record } = await admit(tasks, parts, 'sendTask', params, caller)
    return record.nonce
  })

const hooks = (world: World) =>
  createRegistry({
    webhooks: world.store.webhooks,
    sealer: { seal: () => new Uint8Array(), open: () => '' },
    allowLoopback: false,
  })

const register = (key: string, at: string) =>
  request(`registers ${at}`, key, (world, caller) =>
    hooks(world).register({ url: `https://${at}.example/` }, caller),
  )

const unregister = (key: string) =>
  request('unregisters', key, (world, caller) => hooks(world).unregister(caller))

const identity = (key: string, domain: number) =>
  request(`uploads identity ${domain}`, key, (world, caller) =>
    createSealedData(world.sealedData).uploadIdentity(
      {
        envelope: envelopeOf('identity', policyClient),
        identity_owner: owners.first,
        identity_domain: bytes32(domain),
        identity_owner_sig: '0x',
        chain_id: chainId,
      } as never,
      caller,
    ),
  )

const confidential = (key: string) =>
  request('uploads a list', key, (world, caller) =>
    createSealedData(world.sealedData).uploadConfidential(
      {
        envelope: envelopeOf('list', owners.first),
        ...{ provider: owners.first, domain: bytes32(1), chain_id: chainId },
      } as never,
      caller,
    ),
  )

/** A change that takes effect at once. */
const change = (
  name: string,
  effect: (world: World, keys: Map<string, string>) => unknown,
): Operation<World> =>
  operation(name, (world, keys) => world.steps(name, async () => void (await effect(world, keys))))

const onChain = (name: string, effect: (chain: ChainState) => unknown) =>
  change(name, ({ chain }) => {
    effect(chain)
    chain.block += 1
  })

const keyId = async ({ atOnce }: World, name: string) =>
  (await atOnce.apiKeys.list()).find((key) => key.name === name)?.id

const transfer = (to: 'first' | 'second') =>
  onChain(`transfer to ${to}`, (chain) => Object.assign(chain, { owner: owners[to] }))

const keyChanges = ['first', 'second'].flatMap((name) => [
  change(`deletion of key ${name}`, async (world) => {
    const id = await keyId(world, name)
    if (id !== undefined) await world.atOnce.apiKeys.delete(id)
  }),
  change(`rotation of key ${name}`, async (world, keys) => {
    const id = await keyId(world, name)
    if (id !== undefined) keys.set(name, (await world.atOnce.apiKeys.rotate(id)).key)
  }),
])

const endOfTasks = change('end of the tasks', async ({ atOnce }) => {
  const result = { status: 'failed', aggregation_response: null, error: '', timestamp: 1 } as const
  for (const { id } of await atOnce.tasks.listUnfinished())
    await atOnce.tasks.finish(id, { status: 'failed', result })
})

export type Family = {
  readonly requests: readonly Operation<World>[]
  readonly changes: readonly Operation<World>[]
}

/** Requests that meet in the same rows, and the changes that decide on them. */
export const families = {
  secrets: {
    requests: ['first', 'mate', 'second'].flatMap((key) => [upload(key), simulate(key)]),
    changes: [transfer('first'), transfer('second'), ...keyChanges],
  },
  webhooks: {
    requests: [register('first', 'one'), register('first', 'two'), unregister('first')],
    changes: keyChanges,
  },
  tasks: {
    requests: ['first', 'mate', 'second'].map(submit),
    changes: [endOfTasks, ...keyChanges],
  },
  identity: {
    requests: [identity('first', 1), identity('second', 2)],
    changes: [
      onChain('revocation of signatures', (chain) => Object.assign(chain, { accepts: false })),
      ...keyChanges,
    ],
  },
  confidential: {
    requests: [confidential('first'), confidential('mate')],
    changes: [
      onChain('removal of the provider', (chain) => Object.assign(chain, { dataType: undefined })),
      onChain('another type of provider', (chain) => Object.assign(chain, { dataType: 'list' })),
      ...keyChanges,
    ],
  },
} satisfies Record<string, Family>
