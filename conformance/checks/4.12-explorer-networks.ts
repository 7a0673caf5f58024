import { type Network, networkNames } from 'polgate-protocol/explorer.ts'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import {
  detailRules,
  policyRules,
  specified,
  summaryRules,
} from '../kit/assertions/explorerRows.ts'
import { observed } from '../kit/assertions/observed.ts'
import { shownAnswer } from '../kit/assertions/shownAnswer.ts'
import {
  ask,
  askPolicy,
  askTask,
  expectDetail,
  expectFound,
  explorerNeeds,
  explorerTaskNeeds,
  networkOf,
} from '../kit/scenarios/explorer.ts'
import { acceptedList, expectPage, fetchPage } from '../kit/scenarios/explorerLists.ts'
import { respondedTask } from '../kit/scenarios/explorerSubjects.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'

/** Sections 4.12 and 7.6: the network header. */
const twin = 'the list of tasks of the target’s network'
const invalid = 'Invalid protocol network header'
const unknownPaths = [`/task/0x${'5e'.repeat(32)}`, `/policy/0x${'5e'.repeat(20)}`] as const
const since = { task_window_start: '1970-01-01T00:00:00Z' }

/** Whether the explorer shows a chain by this name; what it answers for others is open (clause 4.12-28). */
const isIndexed = (t: CheckContext, network: Network): boolean =>
  network === networkOf(t) || t.target.networks?.[network] !== undefined

/** A refusal of section 7.6: its text is that of an unknown id, or of a network that is not indexed. */
function expectRefused(answer: Answer): void {
  const { status, json } = answer
  const told = isObject(json) && json.detail !== undefined
  expectThat(
    told && [400, 404, 503].includes(status),
    'the response for a network that is not indexed',
    '400, 404 or 503 with a detail',
    shownAnswer(answer),
  )
}

/** A network that the target does not declare: nothing of another one is shown. */
async function expectNothing(t: CheckContext, network: Network): Promise<void> {
  for (const path of ['/task', '/policy', ...unknownPaths]) {
    const answer = await ask(t, path, { network })
    if (answer.status !== 200) expectRefused(answer)
    else
      for (const row of expectPage(answer, { page: 1, size: 10 }).results)
        expectEqual(row.network, network, `network of ${path}`)
  }
  const counts = await ask(t, '/stats', { network, query: since })
  if (counts.status !== 200) expectRefused(counts)
}

const rules = { ...summaryRules, ...detailRules, ...policyRules }

/** What two responses for the same task or policy have in common: other members may change. */
function settledRow(row: JsonObject): JsonObject {
  const { updated_at: _, ...rest } = specified(row, rules)
  return rest
}

const settled = ({ status, json }: Answer) => ({
  status,
  json: isObject(json) ? settledRow(json) : json,
})

const ids: Readonly<Record<Network, string>> = {
  // 4.12-02: The header X-Protocol-Network selects the network: testnet, base-sepolia, mainnet or
  //   base.
  // 2.9-02: network is the name of the selected network.
  // 2.10-02: network is the name of the selected network.
  testnet: 'explorer.network.testnet',
  'base-sepolia': 'explorer.network.base-sepolia',
  mainnet: 'explorer.network.mainnet',
  base: 'explorer.network.base',
}

const wrongNames: Readonly<Record<string, string>> = {
  // 7.6-02: 400 "Invalid protocol network header" where the network header is not one of the four
  //   names.
  // 7.6-01: The body of an error is {detail: <message>}.
  // 4.12-02: The header X-Protocol-Network selects the network: testnet, base-sepolia, mainnet or
  //   base.
  'explorer.network.wrong-unknown': 'sepolia',
  'explorer.network.wrong-number': '31337',
  'explorer.network.wrong-list': 'testnet,mainnet',
  'explorer.network.wrong-prefix': 'test',
  'explorer.network.wrong-suffix': 'testnet1',
  'explorer.network.wrong-empty': '',
}

export const explorerNetworks: readonly Check[] = [
  ...networkNames.map(
    (network): Check => ({
      id: ids[network],
      title: `${network} is a network: its lists, its counts, and nothing of another one`,
      clauses: ['4.12-02', '2.9-02', '2.10-02'],
      level: 'must',
      needs: explorerNeeds,
      run: async (t) => {
        if (!isIndexed(t, network)) return expectNothing(t, network)
        for (const path of ['/task', '/policy'])
          for (const row of (await fetchPage(t, path, 1, 100, { network })).results)
            expectEqual(row.network, network, `network of ${path}`)
        expectFound(await ask(t, '/stats', { network, query: since }))
        for (const [kind, id, detail] of [
          ['task', '5e'.repeat(32), 'Task not found.'],
          ['policy', '5e'.repeat(20), 'Policy Template not found.'],
        ])
          expectDetail(await ask(t, `/${kind}/0x${id}`, { network }), 404, String(detail))
      },
    }),
  ),
  ...Object.entries(wrongNames).map(
    ([id, network]): Check => ({
      id,
      title: `the network '${network}' is refused by every path with 400`,
      clauses: ['7.6-02', '7.6-01', '4.12-02'],
      level: 'must',
      needs: explorerNeeds,
      twin,
      run: async (t) => {
        await t.twin(() => acceptedList(t))
        const paths = [
          '/task',
          `/task/0x${'5e'.repeat(32)}`,
          '/policy',
          `/policy/0x${'5e'.repeat(20)}`,
          `/policy/id/0x${'5e'.repeat(32)}/task`,
          `/policy/address/0x${'5e'.repeat(20)}/task`,
          `/stats?task_window_start=${since.task_window_start}`,
        ]
        for (const path of paths) {
          const answer = await ask(t, path, { network })
          // A header without a value may be treated as absent.
          if (network === '' && answer.status === 200) t.observe(`${path} accepts an empty header`)
          else if (network !== '' || answer.status !== 404) expectDetail(answer, 400, invalid)
        }
      },
    }),
  ),
  {
    // 4.12-03: Without the header the network is testnet.
    id: 'explorer.network.default',
    title: 'without the header the network is testnet',
    clauses: ['4.12-03'],
    level: 'must',
    needs: explorerTaskNeeds,
    run: async (t) => {
      const { detail } = await respondedTask(t)
      const without = settled(await askTask(t, detail.id, { network: null }))
      const named = settled(await askTask(t, detail.id, { network: 'testnet' }))
      expectEqual(without, named, 'the task without the header')
      if (networkOf(t) === 'testnet')
        expectEqual(without.json, settledRow(detail), 'the task of the testnet')
      const { policyAddress } = t.client(fixture.simple)
      expectEqual(
        settled(await askPolicy(t, policyAddress, { network: null })),
        settled(await askPolicy(t, policyAddress, { network: 'testnet' })),
        'the policy without the header',
      )
      const list = await ask(t, '/task', { network: null })
      if (!isIndexed(t, 'testnet') && list.status !== 200) return expectRefused(list)
      for (const row of expectPage(list, { page: 1, size: 10 }).results)
        expectEqual(row.network, 'testnet', 'network')
    },
  },
  {
    // 4.12-02: The header X-Protocol-Network selects the network: testnet, base-sepolia, mainnet or
    //   base.
    // 4.12-21: A task that the indexer has not seen on the network is 404.
    // 4.12-22: An address without a policy on the network is 404.
    // 7.6-06: 404 "Task not found." for a task that is unknown on the network.
    // 7.6-07: 404 "Policy Template not found." for a policy that is unknown on the network.
    id: 'explorer.network.selects',
    title: 'a task and a policy of the target’s network are 404 on every other',
    clauses: ['4.12-02', '4.12-21', '4.12-22', '7.6-06', '7.6-07'],
    level: 'must',
    needs: explorerTaskNeeds,
    twin: 'the same task on its network',
    run: async (t) => {
      const { detail } = await respondedTask(t)
      const { policyAddress } = t.client(fixture.simple)
      await t.twin(async () => {
        expectFound(await askTask(t, detail.id))
        expectFound(await askPolicy(t, policyAddress))
      })
      for (const network of networkNames.filter((name) => name !== networkOf(t))) {
        const task = await askTask(t, detail.id, { network })
        const policy = await askPolicy(t, policyAddress, { network })
        if (!isIndexed(t, network)) {
          for (const answer of [task, policy]) expectRefused(answer)
          continue
        }
        expectDetail(task, 404, 'Task not found.')
        // Another chain may have the same policy at the same address.
        if (policy.status === 200 && t.target.networks?.[network] !== undefined)
          expectEqual(expectFound(policy).network, network, 'network')
        else expectDetail(policy, 404, 'Policy Template not found.')
      }
    },
  },
  {
    // 4.12-28: The response for a network whose chain is not indexed.
    id: 'explorer.network.observed.unconfigured',
    title: 'observed: content of a network that the target does not declare',
    clauses: ['4.12-28'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      for (const network of networkNames) {
        if (isIndexed(t, network)) continue
        const { status } = await ask(t, '/task', { network })
        if (status !== 200) {
          observed(t, 'totals', `the response for ${network}`, status)
          continue
        }
        const tasks = await fetchPage(t, '/task', 1, 10, { network })
        const policies = await fetchPage(t, '/policy', 1, 10, { network })
        const stats = expectFound(await ask(t, '/stats', { network, query: since }))
        const totals = [tasks.total, policies.total, stats.total_tasks, stats.total_policies]
        observed(t, 'totals', `totals of ${network}`, totals)
      }
    },
  },
  {
    // 4.12-27: Whether the network name is matched without regard to case.
    id: 'explorer.network.observed.letters',
    title: 'observed: names in upper case, with blanks, and sent twice',
    clauses: ['4.12-27'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      const header = t.target.brand.networkHeader
      for (const name of ['Testnet', 'MAINNET', 'base_sepolia', 'base sepolia'])
        observed(t, 'status', `'${name}'`, (await ask(t, '/task', { network: name })).status)
      t.observe(`' testnet ': HTTP ${(await ask(t, '/task', { network: ' testnet ' })).status}`)
      const lower = await ask(t, '/task', {
        network: null,
        headers: { [header.toLowerCase()]: 'nowhere' },
      })
      observed(t, 'header-status', 'the header’s name in lower case', lower.status)
    },
  },
]
