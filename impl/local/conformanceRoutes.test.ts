import { Hono } from 'hono'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { describe, expect, it } from 'vitest'
import {
  addConformanceRoutes,
  type ConformanceControl,
  RunInProgress,
  UnknownRun,
} from './conformanceRoutes.ts'

const calls: unknown[] = []
const noted =
  (name: string) =>
  async (...given: readonly unknown[]) => {
    calls.push([name, ...given])
    return { name } as never
  }
const control: ConformanceControl = {
  checks: noted('checks'),
  start: noted('start'),
  runs: async () => [],
  events: noted('events'),
  check: noted('check'),
  groups: noted('groups'),
  page: async () => undefined,
  compare: noted('compare'),
  cancel: noted('cancel'),
  replay: noted('replay'),
}

/** Status, body, and how the suite was called. */
async function asked(
  path: string,
  request: { readonly method?: string; readonly body?: unknown } = {},
  parts: Partial<ConformanceControl> = {},
) {
  calls.length = 0
  const app = new Hono()
  addConformanceRoutes(app, { ...control, ...parts })
  const { method = 'GET', body } = request
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await app.request(`/conformance/${path}`, {
    method,
    ...(body === undefined ? {} : { body: text }),
  })
  return { status: answer.status, body: await answer.json(), calls: [...calls] }
}

const start = (body: unknown) => asked('runs', { method: 'POST', body })
const replay = (body: unknown) => asked('replay', { method: 'POST', body })

describe('the routes of conformance runs', () => {
  it.each([
    ['checks', ['checks']],
    ['runs/r1/events', ['events', 'r1', 0]],
    ['runs/r1/events?after=12', ['events', 'r1', 12]],
    ['runs/r1/checks/rpc.a.b', ['check', 'r1', 'rpc.a.b']],
    ['runs/r1/groups', ['groups', 'r1']],
    ['compare?before=r1&after=r2', ['compare', 'r1', 'r2']],
  ])('GET %s', async (path, call) => {
    expect(await asked(path)).toMatchObject({ status: 200, calls: [call] })
  })

  it('starts, lists, cancels and replays', async () => {
    const selection = { only: ['a'], clause: '4.2', level: 'must', seed: '0x1f' }
    expect(await start(selection)).toMatchObject({ status: 201, calls: [['start', selection]] })
    expect(await start({})).toMatchObject({ status: 201, calls: [['start', {}]] })
    expect((await asked('runs')).body).toEqual({ runs: [] })
    expect((await asked('runs/r1/report')).body).toEqual({ html: null })
    const cancelled = await asked('runs/r1', { method: 'DELETE' })
    expect(cancelled).toMatchObject({ status: 200, calls: [['cancel', 'r1']] })
    const wanted = { run: 'r1', check: 'a', evidence: 2 }
    expect(await replay(wanted)).toMatchObject({ status: 200, calls: [['replay', wanted]] })
  })

  it.each([
    ['not JSON', '{'],
    ['no object', null],
    ['an empty list', { only: [] }],
    ['too many', { only: Array.from({ length: 5_001 }, () => 'a') }],
    ['a long id', { only: ['a'.repeat(201)] }],
    ['an empty clause', { clause: '' }],
    ['another level', { level: 'always' }],
    ['a seed of another form', { seed: '12' }],
    ['an unknown member', { target: 'https://other.example' }],
  ])('starts nothing for %s', async (_, body) => {
    expect(await start(body)).toMatchObject({ status: 422, calls: [] })
  })

  it.each([
    {},
    { run: 'r1' },
    { run: 'r1', check: 'a', evidence: -1 },
    { run: 'r1', check: 'a', url: 'x' },
  ])('replays nothing for %j', async (body) => {
    expect(await replay(body)).toMatchObject({ status: 422, calls: [] })
  })

  it.each(['runs/r1/events?after=x', 'runs/r1/events?after=-1', 'compare', 'compare?before=r1'])(
    'refuses %s',
    async (path) => {
      expect(await asked(path)).toMatchObject({ status: 422, calls: [] })
    },
  )

  it.each([
    [new UnknownRun('no such run', { hint: 'List them.' }), 404],
    [new RunInProgress('another run is going on', { hint: 'List them.' }), 409],
    [new AppError('not possible', { hint: 'List them.' }), 422],
  ])('answers %s with its hint', async (error, status) => {
    const events = () => Promise.reject(error)
    const answer = await asked('runs/r1/events', {}, { events })
    expect(answer).toMatchObject({ status, body: { error: error.message, hint: 'List them.' } })
  })
})
