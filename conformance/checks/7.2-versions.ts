import { sampleClientAbi } from 'polgate-chain/artifacts/abis.ts'
import { toHex } from 'viem'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectMatch, isObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { explorerTaskNeeds } from '../kit/scenarios/explorer.ts'
import { shownPolicy } from '../kit/scenarios/explorerShown.ts'
import { copyPolicy, factoryOf } from '../kit/scenarios/explorerSubjects.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { followedNeeds } from '../kit/scenarios/followedTasks.ts'
import { newClient, newClientNeeds, transactorOf } from '../kit/scenarios/newClient.ts'
import { wasmArgs } from '../kit/scenarios/oracles.ts'
import {
  acceptedTask,
  createTask,
  expectFailure,
  expectNoSuccess,
  expectTask,
  failureOf,
  taskParams,
} from '../kit/scenarios/requests.ts'
import { createTaskSubject, sendTaskSubject } from '../kit/scenarios/subjects.ts'
import {
  acceptedTaskSimulation,
  simulateTask,
  taskSimulationParams,
} from '../kit/scenarios/taskSimulation.ts'
import {
  dataOf,
  endOf,
  expectSent,
  notificationIn,
  sendTask,
  subscribe,
  topicOf,
  withSocket,
} from '../kit/scenarios/updates.ts'

/** Section 7.2: contracts of a version that the service does not support. */
const { needs } = createTaskSubject

/** The failure of a submission: immediate, or at the end of its task. */
async function failureOfSent(t: CheckContext, params: unknown): Promise<string | undefined> {
  const answer = await sendTask(t, params)
  const failure = failureOf(answer)
  if (failure !== undefined) return failure
  const taskId = expectSent(answer)
  return withSocket(t, async (socket) => {
    subscribe(socket, topicOf(t, taskId))
    const { status, result } = dataOf(await endOf(socket, taskId))
    if (status === 'success') return undefined
    if (isObject(result) && typeof result.error === 'string') return result.error
    // What the result contains is open; the notification has an error_message.
    const isTold = (message: unknown) => notificationIn(message) !== undefined
    return String(notificationIn(await socket.expect('a notification', isTold))?.error_message)
  })
}

/** sendTask for a client whose contracts have another major version. */
const sent = (
  id: string,
  contract: 'policy' | 'policy-data',
  name: string,
  clause: string,
  says: RegExp,
  more: (t: CheckContext) => Record<string, unknown>,
): Check => ({
  id,
  title: `sendTask for ${contract.replace('-', ' ')} of another major version is refused as incompatible`,
  clauses: [clause, '9-05'],
  level: 'must',
  needs: [...followedNeeds, 'fixture-host', `client:${name}`],
  twin: 'the same submission for contracts of compatible versions',
  run: async (t) => {
    await t.twin(() => sendTaskSubject.accepted(t))
    const failure = await failureOfSent(t, taskParams(t, name, more(t)))
    expectMatch(failure, says, 'the error of the task')
    const created = failureOf(await createTask(t, taskParams(t, name, more(t))))
    observed(t, 'failure', 'the failure of sendTask, compared with that of createTask', failure, {
      created,
    })
  },
})

export const versions: readonly Check[] = [
  sent(
    // 7.2-04: An incompatible policy version is -32618 (IncompatiblePolicyVersion), or a failed
    //   result with its message.
    // 9-05: An incompatible version of policy or policy data is reported with -32618 or -32619.
    'rpc.sendTask.policy-version',
    'policy',
    fixture.otherPolicyVersion,
    '7.2-04',
    /-32618|incompatible.*policy.*version|policy.*version/i,
    () => ({}),
  ),
  sent(
    // 7.2-05: An incompatible policy data version is -32619 (IncompatiblePolicyDataVersion), or a
    //   failed result with its message.
    // 9-05: An incompatible version of policy or policy data is reported with -32618 or -32619.
    'rpc.sendTask.policy-data-version',
    'policy-data',
    fixture.otherDataVersion,
    '7.2-05',
    /-32619|incompatible.*data.*version|data.*version/i,
    (t) => ({ wasm_args: wasmArgs(t, fixture.priced) }),
  ),
  {
    // 7.2-04: An incompatible policy version is -32618 (IncompatiblePolicyVersion), or a failed
    //   result with its message.
    // 9-05: An incompatible version of policy or policy data is reported with -32618 or -32619.
    id: 'rpc.simulateTask.policy-version',
    title: 'simulateTask for a policy of another major version is refused as incompatible',
    clauses: ['7.2-04', '9-05'],
    level: 'must',
    needs: [...needs, `client:${fixture.otherPolicyVersion}`],
    twin: 'the same simulation of a policy of a compatible version',
    run: async (t) => {
      await t.twin(() => acceptedTaskSimulation(t))
      const answer = await simulateTask(t, taskSimulationParams(t, fixture.otherPolicyVersion))
      const says = /-32618|incompatible.*policy.*version|policy.*version/i
      expectFailure(answer, says)
    },
  },
  {
    // 9-09: Whether a pre-release of a version is compatible.
    id: 'rpc.createTask.observed.pre-release',
    title: 'observed: a policy whose version is a pre-release of a compatible one',
    clauses: ['9-09'],
    level: 'may',
    needs: [...new Set([...followedNeeds, ...explorerTaskNeeds, ...newClientNeeds])],
    run: async (t) => {
      await acceptedTask(t)
      const { policyAddress } = t.client(fixture.simple)
      const factory = await factoryOf(t, await shownPolicy(t, policyAddress))
      const deployer = await transactorOf(t)
      const version = '1.0.0-rc.1'
      const policy = await copyPolicy(t, deployer, policyAddress, factory, { version })
      const policy_client = await newClient(t, fixture.simple, { policy })
      const params = taskParams(t, fixture.simple, { policy_client })
      const failures = [failureOf(await createTask(t, params)), await failureOfSent(t, params)]
      const refused = failures.every((failure) => failure?.startsWith('-32618 '))
      observed(t, 'failures', 'a policy of version 1.0.0-rc.1', failures, { refused })
    },
  },
  {
    // 4.2-33: What a policy reads as data.params for a client without parameters.
    id: 'rpc.simulateTask.observed.empty-params',
    title: 'observed: the parameters in a policy’s input for a client without parameters',
    clauses: ['4.2-33'],
    level: 'may',
    needs: [...needs, ...newClientNeeds],
    run: async (t) => {
      await acceptedTaskSimulation(t)
      for (const policyParams of ['', ' \n']) {
        const policyClient = await newClient(t, fixture.simple, { policyParams })
        const read = { address: policyClient, abi: sampleClientAbi } as const
        const [policyId, policyAddress] = await Promise.all([
          t.chain().readContract({ ...read, functionName: 'getPolicyId' }),
          t.chain().readContract({ ...read, functionName: 'getPolicyAddress' }),
        ])
        const source = 'package policy\n\ndefault allow := false\n\nallow if data.params == {}\n'
        const answer = await simulateTask(t, {
          ...taskSimulationParams(t),
          policy_task_data: { policyId, policyAddress, policy: toHex(source), policyData: [] },
        })
        const told = isObject(answer.json) && isObject(answer.json.result) ? answer.json.result : {}
        const allow = isObject(told.result) ? told.result.allow : failureOf(answer)
        observed(t, 'allow', `data.params == {} for params ${JSON.stringify(policyParams)}`, allow)
      }
    },
  },
  {
    // 7.2-04: An incompatible policy version is -32618 (IncompatiblePolicyVersion), or a failed
    //   result with its message.
    // 9-05: An incompatible version of policy or policy data is reported with -32618 or -32619.
    id: 'rpc.createTask.policy-version',
    title: 'a policy of another major version is refused as incompatible',
    clauses: ['7.2-04', '9-05'],
    level: 'must',
    needs: [...needs, `client:${fixture.otherPolicyVersion}`],
    twin: 'the same task with the same policy in a compatible version',
    run: async (t) => {
      await t.twin(() => acceptedTask(t))
      const answer = await createTask(t, taskParams(t, fixture.otherPolicyVersion))
      expectNoSuccess(answer, /-32618|incompatible.*policy.*version|policy.*version/i)
      t.observe(`another policy version: ${failureOf(answer)}`)
    },
  },
  {
    // 7.2-05: An incompatible policy data version is -32619 (IncompatiblePolicyDataVersion), or a
    //   failed result with its message.
    // 9-05: An incompatible version of policy or policy data is reported with -32618 or -32619.
    id: 'rpc.createTask.policy-data-version',
    title: 'policy data of another major version is refused as incompatible',
    clauses: ['7.2-05', '9-05'],
    level: 'must',
    needs: [...needs, 'fixture-host', `client:${fixture.otherDataVersion}`],
    twin: 'the same task with policy data in a compatible version',
    run: async (t) => {
      const args = { wasm_args: wasmArgs(t, fixture.priced) }
      await t.twin(async () => expectTask(await createTask(t, taskParams(t, fixture.priced, args))))
      const answer = await createTask(t, taskParams(t, fixture.otherDataVersion, args))
      expectNoSuccess(answer, /-32619|incompatible.*data.*version|data.*version/i)
      t.observe(`another policy data version: ${failureOf(answer)}`)
    },
  },
]
