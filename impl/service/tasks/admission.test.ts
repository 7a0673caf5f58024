import { ChainReadError } from 'polgate-chain/errors.ts'
import type { ClientContext, PolicyDataContext } from 'polgate-chain/reads.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../store/openStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import type { TaskChain } from './taskChain.ts'
import { createGateways, type Gateway } from './testing/gateways.ts'

/** Every reason to reject a request before a task exists, for each method that can meet it. */

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const
const clients = {
  fine: address(0x11),
  oldPolicy: address(0x12),
  prereleasePolicy: address(0x13),
  oldData: address(0x14),
  otherManager: address(0x15),
  nowhere: address(0x16),
  reverting: address(0x17),
} as const

const failed = (failure: 'no-contract' | 'reverted', what: string, more = {}) =>
  new ChainReadError(failure, what, { hint: '', ...more })

function contextOf(client: ClientContext): ClientContext {
  const policyData = (version: string) => client.policyData.map((each) => ({ ...each, version }))
  switch (client.policyClient.toLowerCase()) {
    case clients.oldPolicy:
      return { ...client, version: '0.9.0' }
    case clients.prereleasePolicy:
      return { ...client, version: '1.0.0-rc.1' }
    case clients.oldData:
      return { ...client, policyData: policyData('2.0.0') }
    case clients.otherManager:
      return { ...client, taskManager: address(0xbad) }
    case clients.nowhere:
      throw failed('no-contract', `there is no contract at ${client.policyClient}`)
    case clients.reverting:
      throw failed('reverted', `getPolicyId() of ${client.policyClient} reverted`)
    default:
      return client
  }
}

function chainOf(chain: TaskChain): TaskChain {
  const read: TaskChain['clientAndOperators'] = async (policyClient, quorums, block) => {
    const unknown = quorums.find((quorum) => quorum > 1)
    const told = await chain.clientAndOperators(policyClient, quorums, block)
    const client = contextOf(told.client)
    if (unknown === undefined) return { ...told, client }
    const revert = { errorName: 'UnknownQuorum', args: [unknown] }
    throw failed('reverted', 'getOperatorSet reverted', { revert })
  }
  return {
    ...chain,
    clientAndOperators: read,
    signingDomain: async () => undefined,
    clientContext: async (client) => (await read(client, [0], 1)).client,
    operatorSet: async () => (await chain.clientAndOperators(clients.fine, [0], 1)).operatorSet,
    policyData: async (policyDataAddress) =>
      ({
        policyDataAddress,
        wasmCid: '',
        secretsSchemaCid: '',
        expireAfter: 1,
        version: '2.0.0',
        attesters: [],
        digestVersion: 2,
      }) satisfies PolicyDataContext,
  }
}

let store: Store
let gateway: Gateway
const gateways = createGateways(chainOf)
beforeAll(async () => {
  store = await openTestStore()
  gateway = await gateways.start({ store })
})
afterAll(async () => {
  await gateway.tasks.close()
  await store.close()
})

async function rows() {
  const tables = ['tasks', 'notifications']
  const counts = tables.map((name) =>
    store.database.query(`select count(*)::int as n from ${name}`),
  )
  return (await Promise.all(counts)).map(([row]) => row!.n)
}

/** The outcome of a call in one line: an error with its code, a failed result with its error. */
async function endOf(call: Promise<unknown>): Promise<string> {
  try {
    const result = (await call) as { error?: string | null; task_id?: string; status?: string }
    if (result.error === undefined || result.error === null) return 'accepted'
    return `${result.status === undefined ? 'unsuccessful' : result.status}${result.task_id === undefined ? '' : ' with a task'}: ${result.error}`
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return `${error.code}: ${error.message}`
  }
}

const { caller } = gateways
const params = (policyClient: Address, more: object = {}) => ({
  ...gateways.params(),
  policy_client: policyClient,
  ...more,
})

type Row = readonly [
  name: string,
  client: keyof typeof clients,
  more: object,
  /**
   * Of createTask, sendTask and the short form of simulateTask; undefined where it does not apply.
   */
  expected: readonly [RegExp, RegExp, RegExp | undefined],
]
const same = (each: RegExp): Row[3] => [each, each, each]
const tasksOnly = (each: RegExp): Row[3] => [each, each, undefined]
/** In createTask a member of the result, in sendTask an RPC error (decision T4). */
const told = (message: string): Row[3] => [
  new RegExp(`^failed: ${message}`),
  new RegExp(`^-32616: ${message}`),
  new RegExp(`^unsuccessful: ${message}`),
]
const rowsOfTable: readonly Row[] = [
  [
    'a policy of another version',
    'oldPolicy',
    {},
    same(/^-32618: Incompatible policy version: 0\.9\.0/),
  ],
  ['a policy that is a pre-release', 'prereleasePolicy', {}, same(/^-32618: .*1\.0\.0-rc\.1/)],
  ['policy data of another version', 'oldData', {}, same(/^-32619: Incompatible policy data 0x/)],
  [
    'a client without a contract',
    'nowhere',
    {},
    told('Contract read failed: there is no contract'),
  ],
  ['a client that reverts', 'reverting', {}, told('Contract read failed: getPolicyId')],
  [
    'a client of another task manager',
    'otherManager',
    {},
    [/^failed: .*another task manager/, /^-32616: .*another task manager/, undefined],
  ],
  [
    'a quorum that does not exist',
    'fine',
    { quorum_number: '0x07' },
    tasksOnly(
      /^-32602: Invalid request format: quorum_number contains quorum 7, which does not exist/,
    ),
  ],
  ['one of several quorums', 'fine', { quorum_number: '0x0009' }, tasksOnly(/^-32602: .*quorum 9/)],
  ['no quorum', 'fine', { quorum_number: '0x' }, tasksOnly(/^-32602: .*quorum_number is empty/)],
  [
    'a quorum twice',
    'fine',
    { quorum_number: '0x0000' },
    tasksOnly(/^-32602: .*strictly ascending/),
  ],
  [
    'unsorted quorums',
    'fine',
    { quorum_number: '0x0100' },
    tasksOnly(/^-32602: .*strictly ascending/),
  ],
  [
    'more quorums than there can be',
    'fine',
    {
      quorum_number: `0x${Array.from({ length: 257 }, (_, at) => (at % 256).toString(16).padStart(2, '0')).join('')}`,
    },
    tasksOnly(/^-32602: .*strictly ascending/),
  ],
  [
    'a signature of another length',
    'fine',
    { intent_signature: `0x${'11'.repeat(64)}` },
    [
      /^failed: Failed to encode intent signature.*exactly 65 bytes/,
      /^-32615: Failed to encode intent signature.*exactly 65 bytes/,
      /^unsuccessful: Failed to encode intent signature.*exactly 65 bytes/,
    ],
  ],
  [
    'arguments that are not strings',
    'fine',
    { wasm_args: '0xff' },
    same(/^-32602: .*wasm_args is not UTF-8/),
  ],
]

describe('a request that can never be evaluated is rejected before a task exists', () => {
  it.each(rowsOfTable)('%s', async (_, client, more, [created, sent, simulated]) => {
    const before = await rows()
    const { tasks } = gateway
    expect(await endOf(tasks.createTask(params(clients[client], more), caller))).toMatch(created)
    expect(await endOf(tasks.sendTask(params(clients[client], more), caller))).toMatch(sent)
    if (simulated !== undefined)
      expect(await endOf(tasks.simulateTask(params(clients[client], more), caller))).toMatch(
        simulated,
      )
    expect(await rows()).toEqual(before)
  })

  it('policy data of another version: same error from the methods that run an oracle', async () => {
    const policy_data_address = address(0x21)
    const { chainId } = gateways
    const given = { policy_data_address, chain_id: chainId }
    const { tasks } = gateway
    const owner = { keyId: 'key', owners: [] }
    const { intent } = gateways.params()
    const calls = [
      tasks.simulatePolicyData(given, owner),
      tasks.simulatePolicy(
        {
          policy_client: clients.fine,
          policy: 'package policy',
          intent,
          policy_data: [{ policy_data_address }],
        },
        owner,
      ),
    ]
    for (const end of await Promise.all(calls.map(endOf)))
      expect(end).toMatch(/^-32619: Incompatible policy data/)
  })

  it('evaluates a valid task', async () => {
    expect(await endOf(gateway.tasks.createTask(params(clients.fine), caller))).toBe('accepted')
  })
})
