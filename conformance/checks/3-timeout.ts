import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import { expectThat } from '../core/expect.ts'
import { isRequired } from '../kit/assertions/observed.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { mirrorUrl, probeNeeds, step, tape } from '../kit/scenarios/probe.ts'
import {
  acceptedTask,
  createTask,
  expectTask,
  failureOf,
  resultOf,
  taskParams,
} from '../kit/scenarios/requests.ts'
import { createTaskSubject, sendTaskSubject } from '../kit/scenarios/subjects.ts'

/** Sections 3 and 4.2: the state of a task past its timeout, and when that is by default. */
export const timeoutChecks: readonly Check[] = [
  {
    // 3-05: timeout: the task exceeded its timeout; reported as failed where failures have that
    //   status.
    // 3-01: The status of a task is pending, processing, success, failed or timeout.
    id: 'ws.update.timeout',
    title: 'a task past its timeout is reported as timeout or failed, never as success',
    clauses: ['3-05', '3-01'],
    level: 'must',
    needs: sendTaskSubject.needs,
    twin: 'the same task with the default timeout',
    run: async (t) => {
      await t.twin(() => acceptedTask(t))
      const params = taskParams(t, fixture.simple, { timeout: 0.001 })
      const result = resultOf(await createTask(t, params))
      expectShape(result, { status: shape.oneOf('timeout', 'failed') }, 'result')
      t.observe(`a task past its timeout is ${result.status}`)
    },
  },
  {
    // 4.2-16: The default of timeout is 30 seconds.
    id: 'rpc.createTask.default-timeout',
    title: 'a task that takes seconds succeeds without a timeout parameter',
    clauses: ['4.2-16'],
    level: 'must',
    needs: [...new Set([...createTaskSubject.needs, ...probeNeeds, 'fixture-host' as const])],
    run: async (t) => {
      // An oracle cannot wait for thirty seconds: only a much shorter default is detected.
      let failure = ''
      for (const ms of [3_300, 1_600, 800]) {
        const slow = { wasm_args: tape(step.fetch({ url: mirrorUrl(t, `/after/${ms}`) })) }
        const started = performance.now()
        const answer = await createTask(t, taskParams(t, fixture.probed, slow))
        const seconds = (performance.now() - started) / 1000
        // The time limit of an oracle is open: one that is aborted earlier proves nothing.
        if (failureOf(answer) !== undefined && !isRequired(t, 'slow-oracle')) {
          const spare = taskParams(t, fixture.probed, { ...slow, timeout: 30 })
          failure = failureOf(await createTask(t, spare)) ?? ''
          if (failure !== '') continue
        }
        expectTask(answer)
        const least = (ms - 300) / 1000
        expectThat(seconds > least, 'the time of the task', `above ${least} s`, seconds)
        return t.observe(`a task of ${seconds.toFixed(1)} s succeeds without a timeout`)
      }
      throw new Untestable(`an oracle may not take a second here: ${failure}`)
    },
  },
]
