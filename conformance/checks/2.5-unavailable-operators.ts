import { awaitLater } from 'polgate-lib/async/awaitLater.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectMatch, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import { decisionOf, responseOfResult } from '../crypto/attestation.ts'
import { expectDecision } from '../kit/assertions/contract.ts'
import { expectOperationalFailure, expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { expectDecided, observed } from '../kit/assertions/observed.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { freshAttestation } from '../kit/scenarios/attested.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { edgeOf, stakesOf, withStopped } from '../kit/scenarios/operators.ts'
import { decideWithOracles, simulateOracle } from '../kit/scenarios/oracles.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { mirrorUrl, probeNeeds, runProbe, step, tape } from '../kit/scenarios/probe.ts'
import {
  probeClient,
  probeSecretsNeeds,
  runStored,
  storedBytes,
  storeProbe,
  uploadProbe,
} from '../kit/scenarios/probeSecrets.ts'
import { createTask, expectTask, taskParams } from '../kit/scenarios/requests.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 2.5, decision T14: operators that are unavailable before a task or stop during it. */
const needs = [...createTaskSubject.needs, 'operator-control', 'operators'] as const

const everyone = (t: CheckContext) => stakesOf(t).map((_, i) => i)

const attempt = (t: CheckContext, threshold: number) =>
  createTask(t, taskParams(t, fixture.simple, { quorum_threshold_percentage: threshold }))

const lower = (values: readonly unknown[]) => values.map((value) => String(value).toLowerCase())

/** Entries of `operator_errors`; members beyond `retryable` are open. */
function entriesOf(t: CheckContext, result: JsonObject): readonly JsonObject[] {
  const errors = result.operator_errors
  expectThat(Array.isArray(errors), 'operator_errors', 'an array', errors)
  for (const error of errors as readonly JsonObject[]) {
    expectShape(error, { retryable: shape.boolean }, 'operator_errors[]')
    expectDecided(t, 'operator-error', 'operator_errors[]', error)
  }
  return errors as readonly JsonObject[]
}

export const unavailableOperators: readonly Check[] = [
  {
    // 2.5-15: operator_errors is present on quorum failure.
    // 2.5-16: Each operator error says whether it is retryable.
    // 2.5-22: Members of an operator error beyond retryable.
    // 2.5-28: Which operators operator_errors lists, and with which members.
    id: 'rpc.operators.away.named',
    title: 'a quorum failure names exactly the unavailable operators, as retryable',
    clauses: ['2.5-15', '2.5-16', '2.5-22', '2.5-28'],
    level: 'must',
    needs,
    exclusive: true,
    twin: 'the same task while they run, before and after',
    run: async (t) => {
      await t.twin(async () => expectTask(await attempt(t, 100)))
      const operators = t.target.operators ?? []
      for (const stopped of [[0], everyone(t).slice(1), everyone(t)]) {
        const answer = await withStopped(t, stopped, () => attempt(t, 100))
        const entries = entriesOf(t, expectResultObject(answer))
        expectThat(entries.length > 0, 'operator_errors', 'at least one entry', entries)
        const of = (member: string) => lower(entries.map((entry) => entry[member])).sort()
        const away = stopped.map((i) => operators[i]!)
        observed(
          t,
          'named-operators',
          `the operators named while ${JSON.stringify(stopped)} are unavailable`,
          [of('operator_address'), of('operator_id')],
          {
            away: [
              lower(away.map(({ address }) => address)).sort(),
              lower(away.map(({ id }) => id)).sort(),
            ],
          },
        )
        const retryable = entries.map((entry) => entry.retryable)
        observed(t, 'retryable', 'retryable of unavailable operators', retryable)
      }
      expectTask(await attempt(t, 100))
    },
  },
  {
    // 4.2-13: The threshold decides: the task succeeds exactly when the signed stake reaches it.
    // 2.5-29: Whether a successful task reports operators that failed.
    // 1-04: Operators sign the result and the signatures are aggregated into one BLS attestation.
    id: 'rpc.operators.away.others-decide',
    title: 'with any one operator unavailable, the others reach the same attested decision',
    clauses: ['4.2-13', '2.5-29', '1-04'],
    level: 'must',
    needs,
    exclusive: true,
    run: async (t) => {
      const stakes = stakesOf(t)
      for (const index of everyone(t)) {
        const quorum_threshold_percentage = edgeOf(stakes, [index])
        await withStopped(t, [index], async () => {
          const { attestation, result } = await freshAttestation(t, { quorum_threshold_percentage })
          await expectDecision(t, attestation, true)
          const told = Array.isArray(result.operator_errors) ? result.operator_errors.length : 0
          t.observe(`errors in a success without operator ${index}: ${told}`)
        })
      }
    },
  },
  {
    // 4.2-13: The threshold decides: the task succeeds exactly when the signed stake reaches it.
    // 2.5-27: The aggregate signature in the result verifies against the keys of the operators that
    //   signed.
    // 1-04: Operators sign the result and the signatures are aggregated into one BLS attestation.
    id: 'rpc.operators.away.under-way',
    title: 'an operator that stops while its oracle runs is missing, and changes nothing else',
    clauses: ['4.2-13', '2.5-27', '1-04'],
    level: 'must',
    profiles: ['tasks'],
    needs: [...new Set([...needs, ...probeNeeds, 'fixture-host' as const])],
    exclusive: true,
    twin: 'the same task while all of them run',
    run: async (t) => {
      const stakes = stakesOf(t)
      const last = stakes.length - 1
      const wasm_args = tape(step.fetch({ url: mirrorUrl(t, '/after/600') }))
      const params = { wasm_args, quorum_threshold_percentage: edgeOf(stakes, [last]) }
      const before = await t.twin(() => decideWithOracles(t, fixture.probed, params))
      expectEqual(decisionOf(before.evaluationResult), true, 'the decision')
      const running = awaitLater(freshAttestation(t, params, fixture.probed))
      await pause(250)
      await withStopped(t, [last], async () => {
        const { attestation } = await running
        await expectDecision(t, attestation, true)
      })
      expectTask(await attempt(t, 100))
    },
  },
  {
    // 2.5-15: operator_errors is present on quorum failure.
    // 2.5-16: Each operator error says whether it is retryable.
    // 2.5-28: Which operators operator_errors lists, and with which members.
    // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
    id: 'rpc.operators.oracle-failure',
    title: 'if the oracle fails at every operator, the failed operators are listed',
    clauses: ['2.5-15', '2.5-16', '2.5-28', '7.3-09'],
    level: 'must',
    needs: [...createTaskSubject.needs, `client:${fixture.probed}`],
    twin: 'the same task with an oracle that succeeds',
    run: async (t) => {
      const task = (wasm_args: string) =>
        createTask(t, taskParams(t, fixture.probed, { wasm_args }))
      await t.twin(async () => {
        const result = expectTask(await task(tape(step.get)))
        expectEqual(decisionOf(responseOfResult(result).evaluationResult), true, 'the decision')
      })
      const result = expectResultObject(await task(tape(step.err('unavailable'))))
      expectEqual(result.aggregation_response, null, 'aggregation_response')
      const entries = entriesOf(t, result)
      expectThat(entries.length > 0, 'operator_errors', 'at least one entry', entries)
      // Members besides retryable are open (clause 2.5-22).
      const messages = entries.flatMap(({ message }) => message ?? [])
      observed(t, 'messages', 'messages of the operators', [...new Set(messages)])
      expectMatch(JSON.stringify(result), /WASM execution failed/, 'the result')
      const all = t.target.operators?.length ?? entries.length
      observed(t, 'named-operators', 'the number of operators named', entries.length, { all })
      t.observe(`retryable of a failed oracle: ${entries.map(({ retryable }) => retryable)}`)
    },
  },
  {
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    // 4.5-07: A failure has an error string.
    // 4.6-07: A failure has an error string.
    // 4.8-12: A failure has an error string.
    id: 'rpc.operators.none',
    title: 'without operators no simulation or upload succeeds or hangs; afterwards they succeed',
    clauses: ['7.3-17', '4.5-07', '4.6-07', '4.8-12'],
    level: 'must',
    needs: [...new Set([...needs, ...probeSecretsNeeds])],
    exclusive: true,
    twin: 'the same requests while operators run, before and after',
    run: async (t) => {
      const client = await probeClient(t)
      const upload = (token: string) => uploadProbe(t, client, { TOKEN: token })
      const ways = {
        storeEncryptedSecrets: () => upload('came-while-all-were-away'),
        simulatePolicyData: () => runProbe(t, step.take(1)),
        simulatePolicyDataWithClient: () => runStored(t, client, [step.get]),
        simulatePolicy: () =>
          simulateOracle(t, fixture.probed, { policy_client: client, policy_data: [] }),
      }
      const stored = { TOKEN: 'kept-while-all-were-away' }
      await t.twin(async () => {
        await storeProbe(t, client, stored)
        for (const [name, way] of Object.entries(ways).slice(1)) await expectRun(name, way)
      })
      await withStopped(t, everyone(t), async () => {
        for (const [name, way] of Object.entries(ways)) {
          const { error } = expectOperationalFailure(await way(), /\S/)
          t.observe(`${name} without an operator: ${error}`)
        }
      })
      const kept = (await storedBytes(t, client)).toString()
      expectEqual(JSON.parse(kept), stored, 'the stored secrets')
      for (const [name, way] of Object.entries(ways)) await expectRun(name, way)
    },
  },
]

async function expectRun(
  name: string,
  way: () => ReturnType<typeof runProbe>,
): Promise<JsonObject> {
  const result = expectResultObject(await way())
  expectThat(isObject(result) && result.success === true, `success of ${name}`, true, result)
  return result
}
