import { Value } from '@sinclair/typebox/value'
import type { Context, Hono } from 'hono'
import { AppError } from 'polgate-lib/errors/appError.ts'
import {
  type ConformanceCatalogue,
  type ConformanceComparison,
  type ConformanceDetail,
  type ConformanceEvents,
  type ConformanceGroups,
  ConformanceReplay,
  type ConformanceReplayed,
  type ConformanceRun,
  ConformanceSelection,
} from 'polgate-protocol/control/conformance.ts'

/**
 * Runs the conformance suite against this stack. The suite is not a part of this package: who starts the
 * stack provides it. Every method that takes the id of a run throws `UnknownRun` for another one, and an
 * `AppError` for what it cannot do.
 */
export type ConformanceControl = {
  checks(): Promise<ConformanceCatalogue>
  /** @throws RunInProgress while another run is going on */
  start(selection: ConformanceSelection): Promise<ConformanceRun>
  /** The newest first. */
  runs(): Promise<readonly ConformanceRun[]>
  events(id: string, after: number): Promise<ConformanceEvents>
  check(id: string, check: string): Promise<ConformanceDetail>
  groups(id: string): Promise<ConformanceGroups>
  /** The self-contained page that the suite wrote; undefined until the run has ended. */
  page(id: string): Promise<string | undefined>
  compare(before: string, after: string): Promise<ConformanceComparison>
  /** Resolves when the run has ended; without effect on one that has. */
  cancel(id: string): Promise<ConformanceRun>
  replay(wanted: ConformanceReplay): Promise<ConformanceReplayed>
}

/** No such run, or no such check in it. */
export class UnknownRun extends AppError {}

/** One run at a time: checks would disturb each other. */
export class RunInProgress extends AppError {}

/** `/conformance/...`: catalogue, runs, comparison and replay. */
export function addConformanceRoutes(app: Hono, conformance: ConformanceControl): void {
  const answered = async (c: Context, work: () => Promise<object>, status: 200 | 201 = 200) => {
    try {
      return c.json(await work(), status)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const code = error instanceof UnknownRun ? 404 : error instanceof RunInProgress ? 409 : 422
      return c.json({ error: error.message, hint: error.hint }, code)
    }
  }
  const bodyOf = (c: Context): Promise<unknown> => c.req.json().catch(() => undefined)

  app.get('/conformance/checks', (c) => answered(c, () => conformance.checks()))

  app.get('/conformance/runs', (c) => answered(c, async () => ({ runs: await conformance.runs() })))
  app.post('/conformance/runs', async (c) => {
    const body = await bodyOf(c)
    if (!Value.Check(ConformanceSelection, body))
      return c.json({ error: 'a run takes {only?, clause?, level?, seed?}' }, 422)
    return await answered(c, () => conformance.start(body), 201)
  })
  app.delete('/conformance/runs/:id', (c) =>
    answered(c, () => conformance.cancel(c.req.param('id'))),
  )

  app.get('/conformance/runs/:id/events', (c) => {
    const after = c.req.query('after') ?? '0'
    if (!/^[0-9]{1,7}$/.test(after))
      return c.json({ error: 'after is a number of results, such as the next of the answer' }, 422)
    return answered(c, () => conformance.events(c.req.param('id'), Number(after)))
  })
  app.get('/conformance/runs/:id/checks/:check', (c) =>
    answered(c, () => conformance.check(c.req.param('id'), c.req.param('check'))),
  )
  app.get('/conformance/runs/:id/groups', (c) =>
    answered(c, () => conformance.groups(c.req.param('id'))),
  )
  app.get('/conformance/runs/:id/report', (c) =>
    answered(c, async () => ({ html: (await conformance.page(c.req.param('id'))) ?? null })),
  )

  app.get('/conformance/compare', (c) => {
    const { before, after } = c.req.query()
    if (!before || !after)
      return c.json({ error: 'a comparison takes before and after, ids of runs' }, 422)
    return answered(c, () => conformance.compare(before, after))
  })

  app.post('/conformance/replay', async (c) => {
    const body = await bodyOf(c)
    if (!Value.Check(ConformanceReplay, body))
      return c.json({ error: 'a replay takes {run, check, evidence?}' }, 422)
    return await answered(c, () => conformance.replay(body))
  })
}
