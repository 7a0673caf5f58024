import { simulateOracle } from '../lab/oracles.ts'
import { acceptedTask, createTask, expectTask, failureOf, taskParams } from '../lab/requests.ts'
import { acceptedSimulation } from '../lab/simulation.ts'
import { createTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'
import {
  expectEqual,
  expectMatch,
  expectOperationalFailure,
  expectResultObject,
  expectThat,
} from '../runner/expect.ts'

/** Sections 1 and 7.3: an oracle that traps, loops or eats memory is an error, never an allow. */
const { needs } = createTaskSubject

type FaultyOracle = { readonly name: string; readonly does: string }

const faulty: readonly FaultyOracle[] = [
  { name: 'trap', does: 'traps' },
  { name: 'loop', does: 'never ends' },
  { name: 'grow', does: 'asks for all memory' },
  { name: 'failure', does: 'returns its err result' },
  { name: 'not-json', does: 'answers no JSON object' },
]

const simulated = ({ name, does }: FaultyOracle): Check => ({
  id: `rpc.oracle.fault.${name}.simulated`,
  title: `an oracle that ${does} fails the simulation with WASM execution failed, and nothing else`,
  clauses: ['7.3-09', '7.3-17', '4.8-12'],
  level: 'must',
  needs: [...needs, `client:oracle-${name}`],
  twin: 'a simulation without that oracle, before and after',
  run: async (t) => {
    await t.twin(() => acceptedSimulation(t))
    const answer = await simulateOracle(t, `oracle-${name}`)
    expectOperationalFailure(answer, /^WASM execution failed: \S/)
    expectTask(await createTask(t, taskParams(t)))
  },
})

const asTask = ({ name, does }: FaultyOracle): Check => ({
  id: `rpc.oracle.fault.${name}.task`,
  title: `a task whose oracle ${does} fails, is never an allow, and harms no other task`,
  clauses: ['7.3-09', '4.2-20', '2.5-15'],
  level: 'must',
  needs: [...needs, `client:oracle-${name}`],
  twin: 'a task without that oracle, before and after',
  run: async (t) => {
    await t.twin(() => acceptedTask(t))
    const answer = await createTask(t, taskParams(t, `oracle-${name}`))
    expectThat(failureOf(answer) !== undefined, 'the end of the task', 'a failure', answer.json)
    const result = expectResultObject(answer)
    expectEqual(result.aggregation_response, null, 'aggregation_response')
    const errors = JSON.stringify(result.operator_errors ?? result.error)
    expectMatch(errors, /WASM execution failed/, 'the errors of the operators')
    expectTask(await createTask(t, taskParams(t)))
  },
})

export const oracleFaults: readonly Check[] = [
  ...faulty.flatMap((oracle) => [simulated(oracle), asTask(oracle)]),
  {
    id: 'rpc.oracle.observed.limits',
    title: 'observed: what is said of an oracle that never ends',
    clauses: ['1-35'],
    level: 'may',
    needs: [...needs, 'client:oracle-loop'],
    run: async (t) => {
      const started = performance.now()
      const answer = await simulateOracle(t, 'oracle-loop')
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      t.observe(`an oracle without end: ${failureOf(answer)} after ${seconds} s`)
    },
  },
  {
    id: 'rpc.oracle.isolated',
    title: 'nothing is kept from one run of an oracle to the next',
    clauses: ['1-11'],
    level: 'must',
    needs: [...needs, 'client:oracle-counter'],
    run: async (t) => {
      const run = async () => {
        const result = expectResultObject(await simulateOracle(t, 'oracle-counter'))
        expectEqual(result.success, true, 'success')
        const { wasm } = (result.evaluation_result as { policy_params_and_data: { wasm: unknown } })
          .policy_params_and_data
        return wasm
      }
      const first = await run()
      for (let i = 0; i < 3; i++) expectEqual(await run(), first, 'data.wasm of a later run')
    },
  },
]
