import type { Check } from '../core/check.ts'
import { expectEqual, expectMatch } from '../core/expect.ts'
import { expectOperationalFailure, expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { expectDecided } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { simulateOracle } from '../kit/scenarios/oracles.ts'
import { pause } from '../kit/scenarios/pause.ts'
import {
  acceptedTask,
  createTask,
  expectNoSuccess,
  expectTask,
  failureOf,
  taskParams,
} from '../kit/scenarios/requests.ts'
import { acceptedSimulation, expectEvaluation } from '../kit/scenarios/simulation.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Sections 1 and 7.3: an oracle that traps or never ends is an error, never an allow. */
const { needs } = createTaskSubject

type FaultyOracle = {
  readonly simulated: string
  readonly asTask: string
  readonly client: string
  readonly does: string
  /** The start of the error, where it is specified. */
  readonly says: string
  /** The clause of the error. */
  readonly clause: string
}

const executionFailed = 'WASM execution failed: '

const faulty: readonly FaultyOracle[] = [
  {
    // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    // 4.8-12: A failure has an error string.
    // 1-35: The limits of an oracle run, and the error when one is exceeded.
    simulated: 'rpc.oracle.fault.trap.simulated',
    // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    // 2.5-15: operator_errors is present on quorum failure.
    asTask: 'rpc.oracle.fault.trap.task',
    client: fixture.trapping,
    does: 'traps',
    says: executionFailed,
    clause: '7.3-09',
  },
  {
    // 1-35: The limits of an oracle run, and the error when one is exceeded.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    // 4.8-12: A failure has an error string.
    simulated: 'rpc.oracle.fault.loop.simulated',
    // 1-35: The limits of an oracle run, and the error when one is exceeded.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    // 2.5-15: operator_errors is present on quorum failure.
    asTask: 'rpc.oracle.fault.loop.task',
    client: fixture.looping,
    does: 'never ends',
    // Open, as of every limit.
    says: '',
    clause: '1-35',
  },
  {
    // 1-50: What an oracle may import besides http and secrets, and the error for other imports.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    // 4.8-12: A failure has an error string.
    // 1-35: The limits of an oracle run, and the error when one is exceeded.
    simulated: 'rpc.oracle.fault.import.simulated',
    // 1-50: What an oracle may import besides http and secrets, and the error for other imports.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    // 2.5-15: operator_errors is present on quorum failure.
    asTask: 'rpc.oracle.fault.import.task',
    client: fixture.forbidden,
    does: 'imports an unavailable function',
    says: '',
    clause: '1-50',
  },
]

const simulated = ({ simulated: id, client, does, says, clause }: FaultyOracle): Check => ({
  id,
  title: `an oracle that ${does} fails its simulation${says && ' with WASM execution failed'}`,
  clauses: [...new Set([clause, '7.3-17', '4.8-12', '1-35'])],
  level: 'must',
  profiles: ['simulation'],
  needs: [...needs, `client:${client}`],
  twin: 'a simulation without that oracle',
  run: async (t) => {
    await t.twin(() => acceptedSimulation(t))
    const started = performance.now()
    const answer = await simulateOracle(t, client)
    const { error } = expectOperationalFailure(answer, new RegExp(`^${says}.*\\S`, 's'))
    expectDecided(t, 'error', `the error of an oracle that ${does}`, error)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    t.observe(`an oracle that ${does}: ${failureOf(answer)} after ${seconds} s`)
  },
})

const asTask = ({ asTask: id, client, does, says, clause }: FaultyOracle): Check => ({
  id,
  title: `a task whose oracle ${does} fails, is never an allow, and affects no other task`,
  clauses: [clause, '4.2-20', '2.5-15'],
  level: 'must',
  profiles: ['tasks'],
  needs: [...needs, `client:${client}`],
  twin: 'a task without that oracle, before and after',
  run: async (t) => {
    await t.twin(() => acceptedTask(t))
    const answer = await createTask(t, taskParams(t, client))
    expectNoSuccess(answer)
    const result = expectResultObject(answer)
    expectEqual(result.aggregation_response, null, 'aggregation_response')
    // Members of an operator’s error besides retryable are open (clause 2.5-22).
    const errors = JSON.stringify([result.error, result.operator_errors])
    expectMatch(errors, new RegExp(says), 'the errors of the task and its operators')
    expectDecided(t, 'errors', 'the errors of the task and its operators', errors)
    expectTask(await createTask(t, taskParams(t)))
  },
})

/** Long enough for a gateway to prepare the next run while idle. */
const idleMs = 60

export const oracleFaults: readonly Check[] = [
  ...faulty.flatMap((oracle) => [simulated(oracle), asTask(oracle)]),
  {
    // 1-10: An oracle is a WASM component fetched by its content id and run for its PolicyData
    //   contract.
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
    id: 'rpc.oracle.never-another',
    title: 'oracles run one after the other, with pauses, each return their own output',
    clauses: ['1-10', '1-24', '7.3-09'],
    level: 'must',
    needs: [...needs, `client:${fixture.echo}`, `client:${fixture.trapping}`],
    twin: 'the echo oracle, before each that traps',
    run: async (t) => {
      for (let round = 0; round < 4; round++) {
        await t.twin(async () => {
          const answer = expectEvaluation(await simulateOracle(t, fixture.echo))
          const { wasm } = answer.policy_params_and_data as { wasm: unknown }
          expectEqual(wasm, { echo: { approval: 'yes' } }, 'data.wasm of the echo oracle')
        })
        await pause(idleMs)
        const trapped = await simulateOracle(t, fixture.trapping)
        expectOperationalFailure(trapped, /^WASM execution failed: \S/)
        await pause(idleMs)
      }
    },
  },
]
