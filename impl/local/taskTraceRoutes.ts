import { Value } from '@sinclair/typebox/value'
import type { Hono } from 'hono'
import { CaseRequest } from 'polgate-protocol/control/taskTrace.ts'
import { caseOfTask } from './taskTrace/caseOfTask.ts'
import { type TraceSources, traceAnswer } from './taskTrace/traceAnswer.ts'

const unknown = {
  error: 'no trace of this task',
  hint: 'The latest 1,000 tasks since the start of the stack are kept.',
}

/** `GET /tasks/:id/trace` and `POST /tasks/:id/case`: the path of a task, and a case of a package made from it. */
export function addTaskTraceRoutes(app: Hono, sources: TraceSources): void {
  app.get('/tasks/:id/trace', async (c) => {
    const answer = await traceAnswer(sources, c.req.param('id'))
    return answer === undefined ? c.json(unknown, 404) : c.json(answer)
  })
  app.post('/tasks/:id/case', async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined)
    if (!Value.Check(CaseRequest, body))
      return c.json({ error: 'a case is {name?, oracles?}: a text and ids of oracles' }, 422)
    const answer = await traceAnswer(sources, c.req.param('id'))
    return answer === undefined ? c.json(unknown, 404) : c.json(caseOfTask(answer, body))
  })
}
