import type fc from 'fast-check'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import { devNode } from '../kit/assertions/contract.ts'
import { control } from '../kit/scenarios/controlListener.ts'
import { explorerTaskNeeds } from '../kit/scenarios/explorer.ts'
import { failingNeeds } from '../kit/scenarios/followedTasks.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'
import { expectPublicKey, publicKey } from '../kit/scenarios/requests.ts'
import { secretsNeeds } from '../kit/scenarios/secrets.ts'
import { webhookNeeds } from '../kit/scenarios/webhooks.ts'
import { explorerGoesOnward, explorerShowsAll } from '../model/invariants/explorer.ts'
import { deadKeysStayDead, liveKeysWork } from '../model/invariants/keys.ts'
import {
  failuresAreNotified,
  nothingIsLost,
  updatesReachOnlyOwners,
} from '../model/invariants/news.ts'
import { tasksAgree } from '../model/invariants/task.ts'
import { checkSequences } from '../model/sequences.ts'
import type { Model } from '../model/state.ts'
import { type Invariant, type Step, type StepOptions, step } from '../model/step.ts'
import { followings } from '../model/steps/followers.ts'
import { keyChanges } from '../model/steps/keys.ts'
import { blocks, operatorChanges } from '../model/steps/machines.ts'
import { ownerships } from '../model/steps/ownership.ts'
import { creations, settle, submissions } from '../model/steps/tasks.ts'
import { webhookChanges } from '../model/steps/webhooks.ts'
import { type Surfaces, withSurfaces } from '../model/surfaces.ts'

/** Sections 4.1 and 5.3: no response, frame or webhook contains a key or a secret. */
const nothingLeaks: Invariant = async (_, { t }) => {
  expectEqual(t.leaks(), [], 'secrets found in a response, a frame or a webhook')
}

/**
 * Sequences of actions of callers, owners and operators, compared with a model: after every step,
 * and at the end, all surfaces must match the model and each other.
 */
const needs = [
  ...new Set([
    ...explorerTaskNeeds,
    ...newClientNeeds,
    ...failingNeeds,
    ...webhookNeeds,
    ...secretsNeeds,
    'key:stranger' as const,
    'stranger' as const,
  ]),
]

type Play = {
  readonly runs: number
  readonly most: number
  readonly least: number
  readonly webhooks?: boolean
  /** Keys are created for each sequence, if the target supports it. */
  readonly keys?: boolean
  readonly steps: readonly fc.Arbitrary<StepOptions>[]
  readonly always: readonly Invariant[]
  readonly atEnd: readonly Invariant[]
}

async function startAll({ t }: Surfaces, { stopped }: Model): Promise<void> {
  for (const at of stopped) await control(t, `/operators/${at}/start`)
}

function play(t: CheckContext, name: string, options: Play): Promise<void> {
  const { runs, most, least, always, atEnd } = options
  const surfaces = {
    webhooks: options.webhooks ?? false,
    keys: t.target.controlUrl !== undefined && (options.keys ?? true),
  }
  return checkSequences<Model, Surfaces>(t, name, {
    runs,
    most,
    least,
    steps: options.steps.map((some): fc.Arbitrary<Step> => some.map((one) => step(always, one))),
    withStage: (run) =>
      withSurfaces(t, surfaces, async (model, real) => {
        try {
          await run({ model, real, story: real.story })
        } finally {
          await startAll(real, model)
        }
      }),
    atEnd: async (model, real) => {
      real.story.push('  and at the end')
      await settle(model, real)
      for (const invariant of [...always, ...atEnd]) await invariant(model, real)
    },
  })
}

/** Optional actions that the target supports in a sequence. */
const abilitiesOf = (t: CheckContext) =>
  t.once('abilities of the laboratory', async () => {
    const offers = async (path: string) =>
      t.target.controlUrl !== undefined &&
      (await t.fetch(`${t.target.controlUrl}${path}`).catch(() => undefined))?.ok === true
    return {
      operators: (t.target.operators?.length ?? 0) > 0 && (await offers('/operators')),
      keys: await offers('/keys'),
      mining: await devNode(t, 'anvil_nodeInfo', []).then(
        () => true,
        () => false,
      ),
    }
  })

export const crossSequences: readonly Check[] = [
  {
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 2.5-12: expiration is reference_block plus policy_config.expireAfter.
    // 2.5-20: The same task id appears in the result, in task and in task_response.
    // 1-05: A contract can verify the attestation on chain.
    // 3-08: Each timestamp of the explorer is null until its event has happened.
    // 4.12-18: A list of a policy holds exactly the tasks of that policy.
    // 4.12-19: A task that was created appears in the list.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    id: 'cross.tasks.agree',
    title:
      'for any tasks in any order, response, update, contract, chain and explorer agree on each',
    clauses: ['4.12-36', '2.5-12', '2.5-20', '1-05', '3-08', '4.12-18', '4.12-19', '4.2-20'],
    level: 'must',
    needs,
    run: (t) =>
      play(t, 'tasks', {
        ...{ runs: 1, most: 9, least: 6 },
        steps: [creations(['allows', 'denies', 'has no time']), submissions(['allows', 'denies'])],
        always: [tasksAgree(), explorerGoesOnward, nothingLeaks],
        atEnd: [explorerShowsAll],
      }),
  },
  {
    // 6.2-01: Failures of tasks created with a key are sent as TaskFailureNotification (section
    //   2.8).
    // 6.2-02: Notifications are sent over the WebSocket to subscribers of the task, with the full
    //   payload.
    // 6.2-03: Notifications are sent as an HTTP POST to the registered URL.
    // 6.2-05: The POST has X-Idempotency-Key.
    // 6.2-15: A task that succeeds sends no notification.
    // 4.9-12: The webhook covers tasks created with its key, by createTask and by sendTask.
    // 4.9-13: The webhook does not cover tasks of another key.
    // 4.9-14: After unregisterWebhook nothing more is sent.
    // 2.8-02: task_id is a hex string, the id of the task that failed.
    // 2.8-10: No two notifications have the same id.
    id: 'cross.failures.told-once',
    title:
      'with any registrations of webhooks, a failure is sent once to the webhook of its key and to its subscribers',
    clauses: [
      ...['6.2-01', '6.2-02', '6.2-03', '6.2-05', '6.2-15', '4.9-12', '4.9-13', '4.9-14'],
      ...['2.8-02', '2.8-10'],
    ],
    level: 'must',
    needs,
    run: (t) =>
      play(t, 'failures', {
        ...{ runs: 1, most: 10, least: 7, webhooks: true },
        steps: [
          webhookChanges(),
          creations(['allows', 'has no time', 'traps']),
          submissions(['traps']),
        ],
        always: [tasksAgree(), updatesReachOnlyOwners, failuresAreNotified, nothingLeaks],
        atEnd: [nothingIsLost],
      }),
  },
  {
    // 6.1-11: A subscriber receives updates of its own topics only.
    // 6.1-12: Every subscriber of a task receives its end.
    // 6.1-03: An update is {type: update, subscription, result}; subscription is the id of the
    //   subscription.
    // 6.1-06: result.data.status is the status of the task.
    id: 'cross.updates.own',
    title: 'with any subscriptions, a connection receives only its topics, and each end',
    clauses: ['6.1-11', '6.1-12', '6.1-03', '6.1-06'],
    level: 'must',
    needs,
    run: (t) =>
      play(t, 'updates', {
        ...{ runs: 1, most: 12, least: 8 },
        steps: [followings(), submissions(['allows', 'denies', 'traps'])],
        always: [updatesReachOnlyOwners, tasksAgree()],
        atEnd: [nothingIsLost],
      }),
  },
  {
    // 5.2-01: The owner is read from the chain on every check: a transfer takes effect with the
    //   next request.
    // 5.2-02: A transfer by transferOwnership() takes effect.
    // 5.2-03: A transfer by setOwner() takes effect.
    // 5.2-04: The caller’s key must be associated with the on-chain owner (getOwner()).
    // 5.2-06: simulatePolicyDataWithClient checks ownership.
    // 5.2-07: simulatePolicy checks ownership if a listed PolicyData has a secrets schema, and only
    //   then.
    // 5.2-08: storeEncryptedSecrets checks ownership.
    // 9-03: Ownership of a policy client is determined on chain.
    // 4.5-08: Only the on-chain owner of the policy client may upload.
    // 4.7-05: The oracle receives the secrets stored for this policy client and PolicyData.
    // 4.7-07: Ownership of the policy client is checked.
    // 5.3-06: Plaintext is never sent over the network: no response holds a secret.
    id: 'cross.ownership.at-once',
    title: 'with any ownership and stored secrets, only the current owner of a client may use it',
    clauses: [
      ...['5.2-01', '5.2-02', '5.2-03', '5.2-04', '5.2-06', '5.2-07', '5.2-08', '9-03'],
      ...['4.5-08', '4.7-05', '4.7-07', '5.3-06'],
    ],
    level: 'must',
    needs,
    run: (t) =>
      play(t, 'ownership', {
        ...{ runs: 1, most: 8, least: 6 },
        steps: [ownerships()],
        always: [nothingLeaks],
        atEnd: [],
      }),
  },
  {
    // 5.6-06: A rotated key is refused on the next request, and its successor is accepted.
    // 5.6-07: A deleted key is refused on the next request.
    // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
    // 5.1-11: When a new, rotated or deleted key takes effect.
    id: 'cross.keys.end',
    title: 'a rotated or deleted key is invalid on every surface, its successor is valid',
    clauses: ['5.6-06', '5.6-07', '7.6-04', '5.1-11'],
    level: 'must',
    needs: [...needs, 'key-control'],
    twin: 'the same call with a valid key',
    run: async (t) => {
      const { atOnce, again } = deadKeysStayDead(true)
      await t.twin(async () => expectPublicKey(await publicKey(t)))
      await play(t, 'keys', {
        ...{ runs: 1, most: 8, least: 6 },
        steps: [keyChanges(), creations(['allows'])],
        always: [atOnce, liveKeysWork, tasksAgree()],
        atEnd: [again],
      })
    },
  },
  {
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 2.5-12: expiration is reference_block plus policy_config.expireAfter.
    // 6.1-11: A subscriber receives updates of its own topics only.
    // 6.1-12: Every subscriber of a task receives its end.
    // 6.2-01: Failures of tasks created with a key are sent as TaskFailureNotification (section
    //   2.8).
    // 6.2-03: Notifications are sent as an HTTP POST to the registered URL.
    // 4.9-12: The webhook covers tasks created with its key, by createTask and by sendTask.
    // 4.9-13: The webhook does not cover tasks of another key.
    // 5.2-01: The owner is read from the chain on every check: a transfer takes effect with the
    //   next request.
    // 5.2-04: The caller’s key must be associated with the on-chain owner (getOwner()).
    // 5.3-06: Plaintext is never sent over the network: no response holds a secret.
    // 4.1-17: No response contains an API key or another secret.
    id: 'cross.everything',
    title: 'while owners, keys, secrets, webhooks, blocks and operators change, all surfaces agree',
    clauses: [
      ...['4.12-36', '2.5-12', '6.1-11', '6.1-12', '6.2-01', '6.2-03', '4.9-12', '4.9-13'],
      ...['5.2-01', '5.2-04', '5.3-06', '4.1-17'],
    ],
    level: 'must',
    needs,
    exclusive: true,
    run: async (t) => {
      const can = await abilitiesOf(t)
      const left = Object.entries(can).flatMap(([name, is]) => (is ? [] : [name]))
      if (left.length > 0) t.observe(`sequences leave out: ${left.join(', ')}`)
      const dead = deadKeysStayDead(true)
      await play(t, 'everything', {
        ...{ runs: 1, most: 14, least: 10, webhooks: true, keys: can.keys },
        steps: [
          creations(['allows', 'denies', 'requires every operator', 'has no time', 'traps']),
          submissions(['allows', 'denies', 'requires every operator', 'traps']),
          submissions(['allows', 'requires every operator', 'traps']),
          followings(),
          webhookChanges(),
          ownerships(),
          ...(can.keys ? [keyChanges()] : []),
          ...(can.mining ? [blocks()] : []),
          ...(can.operators ? [operatorChanges(t.target.operators!.length)] : []),
        ],
        always: [
          tasksAgree(),
          updatesReachOnlyOwners,
          failuresAreNotified,
          explorerGoesOnward,
          dead.atOnce,
          nothingLeaks,
        ],
        atEnd: [nothingIsLost, explorerShowsAll, dead.again],
      })
    },
  },
]
