import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectThat } from '../core/expect.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { type ChaosOn, inChaos, linkOf, linksOf } from '../kit/scenarios/chaosLinks.ts'
import { explorerNeeds } from '../kit/scenarios/explorer.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClient } from '../kit/scenarios/newClient.ts'
import { wasmArgs } from '../kit/scenarios/oracles.ts'
import type { CallKey } from '../kit/scenarios/ownKey.ts'
import {
  createTask,
  expectTask,
  failureOf,
  taskParams,
  transferIntent,
  unlistedRecipient,
} from '../kit/scenarios/requests.ts'
import {
  expectStored,
  pricedOracle,
  secretsNeeds,
  simulateWithClient,
  storeParams,
  storeSecrets,
  withClientParams,
} from '../kit/scenarios/secrets.ts'
import {
  dataOf,
  endOf,
  expectSent,
  sendTask,
  subscribe,
  topicOf,
  withSockets,
} from '../kit/scenarios/updates.ts'
import { type Webhook, webhookNeeds, withWebhook } from '../kit/scenarios/webhooks.ts'
import { anyChaos, type FaultyLink } from '../kit/servers/arbitraryChaos.ts'
import type { ChaosFault } from '../kit/servers/chaos.ts'
import { expectOneEnd, type Survivor, sentSurvivor, survivorOf } from '../model/chaosTasks.ts'
import type { UpdateSocket } from '../wire/updateSocket.ts'

/** Sections 2.5, 4.2 and 6.2 while connections between components are faulty. */
const needs = [...new Set([...webhookNeeds, ...explorerNeeds, 'websocket' as const])]
const common = { level: 'must', needs: [...needs, 'chaos'], exclusive: true } as const

/** Timeout of a task in seconds. Short for faults without a response, which end by timeout. */
const timeoutIn = ({ kind }: ChaosFault): number =>
  kind === 'black-hole' || kind === 'drip' ? 0.4 : 10

const faults: readonly ChaosFault[] = [
  { kind: 'black-hole' },
  { kind: 'status', status: 503 },
  { kind: 'late', ms: 20, jitterMs: 60 },
  { kind: 'garbage' },
  { kind: 'reset' },
  { kind: 'dropped' },
  { kind: 'doubled' },
  { kind: 'twice' },
  { kind: 'drip', everyMs: 2 },
]

/** Faults of a node that answers, but not for the expected chain. */
const nodeFaults: readonly ChaosFault[] = [{ kind: 'wrong-chain' }, { kind: 'stale-block' }]

/** Some of them, by the seed, always including the first two. All of them at higher efforts. */
function someOf(t: CheckContext, list: readonly ChaosFault[]): readonly ChaosFault[] {
  const others = list.slice(2)
  const start = (t.seed('troubles') >>> 0) % others.length
  const turned = [...others.slice(start), ...others.slice(0, start)]
  return [...list.slice(0, 2), ...turned.slice(0, t.runs(1))]
}

const nameOf = (trouble: ChaosFault) =>
  trouble.kind === 'status' ? `status ${trouble.status}` : trouble.kind

/** Alternates between a listed and an unlisted recipient, so that no decision can be constant. */
async function simpleTask(
  t: CheckContext,
  key: CallKey,
  allows: boolean,
  timeout: number,
): Promise<Survivor> {
  const intent = transferIntent(t, allows ? {} : { to: unlistedRecipient })
  const params = taskParams(t, fixture.simple, { intent, timeout })
  return survivorOf(await createTask(t, params, { key }), allows, intent.value)
}

/** Afterwards the service works as before. */
async function expectRecovery(t: CheckContext, { key }: Webhook): Promise<void> {
  expectTask(await createTask(t, taskParams(t), { key }))
}

function observeFailures(t: CheckContext, what: string, types: readonly string[]): void {
  const seen = [...new Set(types)].sort()
  t.observe(`failure types notified for ${what}: ${seen.join(', ') || 'none'}`)
}

/** Applies each fault in turn to a task; then checks the results of all tasks. */
async function throughAll(
  t: CheckContext,
  links: readonly string[],
  list: readonly ChaosFault[],
  task: (key: CallKey, allows: boolean, trouble: ChaosFault) => Promise<Survivor>,
): Promise<void> {
  await withWebhook(t, {}, async (webhook) => {
    await t.twin(() => expectRecovery(t, webhook))
    const survivors: Survivor[] = []
    for (const [at, trouble] of someOf(t, list).entries()) {
      const chaos: ChaosOn = { links, trouble }
      const { value, struck } = await inChaos(t, chaos, () =>
        task(webhook.key, at % 2 === 0, trouble),
      )
      survivors.push(value)
      const end = value.failure ?? 'success'
      t.observe(`${links.join(', ')}: ${nameOf(trouble)} affected ${struck} requests: ${end}`)
    }
    const types = await expectOneEnd(t, webhook, survivors)
    observeFailures(t, `faults on the connections to ${links.join(', ')}`, types)
    await expectRecovery(t, webhook)
  })
}

const operatorsOf = async (t: CheckContext): Promise<readonly string[]> =>
  (await linksOf(t)).map(({ name }) => name).filter((name) => name.startsWith('operator-'))

/** A client whose oracle fetches its feed through the link. */
async function clientThrough(t: CheckContext, url: string) {
  const policy_client = await newClient(t)
  const host = t.target.fixtureHostUrl ?? url
  const secrets: unknown = JSON.parse(JSON.stringify(pricedOracle(t).secrets).replaceAll(host, url))
  expectStored(await storeSecrets(t, await storeParams(t, policy_client, secrets), { key: 'rpc' }))
  return policy_client
}

const clauses = ['4.2-02', '4.2-20', '6.2-01', '1-05', '4.12-36', '2.8-10'] as const

export const taskChaos: readonly Check[] = [
  {
    ...common,
    // 4.2-02: The response is sent when the task has ended, and is final.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    // 6.2-01: Failures of tasks created with a key are sent as TaskFailureNotification (section
    //   2.8).
    // 1-05: A contract can verify the attestation on chain.
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 2.8-10: No two notifications have the same id.
    id: 'chaos.chain',
    title: 'during and after faults of the node, each task has one end and no false attestation',
    clauses: clauses.map(String),
    twin: 'the same task without faults',
    run: (t) =>
      throughAll(t, ['chain'], [...faults, ...nodeFaults], (key, allows, trouble) =>
        simpleTask(t, key, allows, timeoutIn(trouble)),
      ),
  },
  {
    ...common,
    // 4.2-02: The response is sent when the task has ended, and is final.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    // 6.2-01: Failures of tasks created with a key are sent as TaskFailureNotification (section
    //   2.8).
    // 1-05: A contract can verify the attestation on chain.
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 2.8-10: No two notifications have the same id.
    id: 'chaos.operators',
    title: 'during and after faults of operators, each task has one end and no false attestation',
    clauses: clauses.map(String),
    twin: 'the same task without faults',
    run: async (t) =>
      throughAll(t, await operatorsOf(t), faults, (key, allows, trouble) =>
        simpleTask(t, key, allows, timeoutIn(trouble)),
      ),
  },
  {
    ...common,
    // 1-27: The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the
    //   policy, which can deny.
    // 1-14: A fetch that fails gives the oracle an error string, not a trap.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    // 6.2-01: Failures of tasks created with a key are sent as TaskFailureNotification (section
    //   2.8).
    // 1-05: A contract can verify the attestation on chain.
    id: 'chaos.oracles',
    title: 'an oracle that cannot reach its source never makes a policy allow',
    clauses: ['1-27', '1-14', '4.2-20', '6.2-01', '1-05'],
    needs: [...new Set([...common.needs, ...secretsNeeds, 'key:rpc' as const])],
    twin: 'the same task without faults',
    run: async (t) => {
      const policy_client = await clientThrough(t, (await linkOf(t, 'oracles')).url)
      const params = (timeout: number) => ({
        ...taskParams(t, fixture.priced, { timeout, wasm_args: wasmArgs(t, fixture.priced) }),
        policy_client,
      })
      await t.twin(async () => expectTask(await createTask(t, params(20))))
      await throughAll(t, ['oracles'], faults, async (key, _, trouble) => {
        const given = survivorOf(await createTask(t, params(timeoutIn(trouble)), { key }), true)
        // A complete response to the oracle may allow; nothing else may.
        const whole = ['late', 'twice', 'drip'].includes(trouble.kind)
        return { ...given, allows: whole && given.succeeded }
      })
    },
  },
  {
    ...common,
    // 4.12-19: A task that was created appears in the list.
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 1-05: A contract can verify the attestation on chain.
    id: 'chaos.posting',
    title: 'a result that cannot be posted while the node is unavailable is posted afterwards',
    clauses: ['4.12-19', '4.12-36', '1-05'],
    twin: 'the same task without faults',
    run: async (t) => {
      await withWebhook(t, {}, async (webhook) => {
        await t.twin(() => expectRecovery(t, webhook))
        const only = ['eth_sendRawTransaction']
        const chaos: ChaosOn = { links: ['chain'], trouble: { kind: 'dropped' }, only }
        const { value, struck } = await inChaos(t, chaos, () =>
          simpleTask(t, webhook.key, true, 10),
        )
        t.observe(`${struck} postings were interrupted: ${value.failure ?? 'success'}`)
        expectThat(value.succeeded, 'the task', 'a success: only its posting fails', value.failure)
        observeFailures(t, 'postings', await expectOneEnd(t, webhook, [value]))
      })
    },
  },
  {
    ...common,
    // 4.2-02: The response is sent when the task has ended, and is final.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    // 6.2-01: Failures of tasks created with a key are sent as TaskFailureNotification (section
    //   2.8).
    // 1-05: A contract can verify the attestation on chain.
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 2.8-10: No two notifications have the same id.
    // 6.1-12: Every subscriber of a task receives its end.
    id: 'chaos.mixed',
    title: 'with any faults on any connections, no task is lost and none ends twice',
    clauses: [...clauses, '6.1-12'],
    run: (t) =>
      withWebhook(t, {}, async (webhook) => {
        const links = (await linksOf(t)).map(({ name }) => name)
        const types: string[] = []
        await checkProperty(
          t,
          'chaos',
          anyChaos(links.filter((name) => name !== 'oracles')),
          { runs: 1, shrinkMs: 6_000 },
          async (chaos) => {
            const survivors = await throughMixed(t, webhook, chaos)
            types.push(...(await expectOneEnd(t, webhook, survivors)))
            await expectRecovery(t, webhook)
          },
        )
        observeFailures(t, 'mixed faults', types)
      }),
  },
  {
    ...common,
    // 6.3-09: The failure type of other failures, such as those of an oracle or of the chain.
    // 5.2-11: The error for an address that is not a policy client.
    id: 'chaos.observed.codes',
    title: 'observed: the response of each method while the node of the chain is unavailable',
    clauses: ['6.3-09', '5.2-11'],
    level: 'may',
    needs: [...new Set([...common.needs, ...secretsNeeds])],
    run: async (t) => {
      const { policyClient } = t.client(fixture.priced)
      const params = await storeParams(t, policyClient)
      const calls = {
        createTask: () => createTask(t, taskParams(t, fixture.simple, { timeout: 1 })),
        sendTask: () => sendTask(t, taskParams(t)),
        simulatePolicyDataWithClient: () =>
          simulateWithClient(t, withClientParams(t, policyClient), { key: 'read' }),
        storeEncryptedSecrets: () => storeSecrets(t, params),
      }
      const trouble: ChaosFault = { kind: 'status', status: 503 }
      await inChaos(t, { links: ['chain'], trouble }, async () => {
        for (const [name, call] of Object.entries(calls)) {
          const answer = await call()
          t.observe(`${name} without a node: HTTP ${answer.status}, ${failureOf(answer)}`)
        }
      })
    },
  },
]

/**
 * Tasks of both kinds during the faults; sent tasks end after the faults are removed. Each is followed on a
 * connection of its own: the limit of subscriptions is open.
 */
const throughMixed = (
  t: CheckContext,
  webhook: Webhook,
  chaos: readonly FaultyLink[],
): Promise<readonly Survivor[]> =>
  withSockets(t, 2, webhook.key, async (sockets) => {
    const sent: { readonly socket: UpdateSocket; readonly taskId: string }[] = []
    const inside = async () => {
      const submissions = sockets.map(async (socket) => {
        const answer = await sendTask(t, taskParams(t), { key: webhook.key })
        // Refused because the chain is unavailable: there is no task.
        if (failureOf(answer) !== undefined) return
        const taskId = expectSent(answer).toLowerCase()
        subscribe(socket, topicOf(t, taskId))
        sent.push({ socket, taskId })
      })
      const created = [true, false].map((allows) => simpleTask(t, webhook.key, allows, 1))
      const [survivors] = await Promise.all([Promise.all(created), Promise.all(submissions)])
      return survivors
    }
    const nested = chaos.reduce<() => Promise<Survivor[]>>(
      (run, { link, trouble, share }) =>
        async () =>
          (await inChaos(t, { links: [link], trouble, share }, run)).value,
      inside,
    )
    const created = await nested()
    const ended: Survivor[] = []
    for (const { socket, taskId } of sent)
      ended.push(sentSurvivor(taskId, dataOf(await endOf(socket, taskId)), true))
    return [...created, ...ended]
  })
