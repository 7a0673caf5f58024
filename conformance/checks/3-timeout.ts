import { fixture } from '../lab/fixtures.ts'
import { acceptedTask, createTask, resultOf, taskParams } from '../lab/requests.ts'
import { sendTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'
import * as shape from '../wire/shape.ts'
import { expectShape } from '../wire/shape.ts'

/** Section 3: the state of a task past its timeout. */
export const timeoutChecks: readonly Check[] = [
  {
    id: 'ws.update.timeout',
    title: 'a task past its timeout is told as timeout, or as failed, never as success',
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
]
