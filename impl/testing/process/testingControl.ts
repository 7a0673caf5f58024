import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { serve } from 'polgate-service/gateway/serve.ts'
import type { ControlCalls, TaskRecord } from '../stack/controlWire.ts'
import { deployPolicyOf } from './deployPolicyOf.ts'
import type { RunningStack } from './runningStack.ts'

/** Components of oracles are sent in base64. */
const maxBody = 100 * 1024 * 1024

type Handlers = {
  readonly [Path in keyof ControlCalls]: (
    body: ControlCalls[Path]['body'],
  ) => Promise<ControlCalls[Path]['answer']>
}

/** The listener through which tests change their stack: on loopback, for holders of its token. */
export async function serveTestingControl(
  stack: RunningStack,
): Promise<{ readonly url: string; readonly token: string; close(): Promise<void> }> {
  const token = randomBytes(32).toString('base64url')
  const { snapshots, clock, mocks } = stack
  const handlers: Handlers = {
    '/snapshot': async () => ({ id: await snapshots.take() }),
    async '/restore'({ id, keep }) {
      await snapshots.restore(String(id), { keep })
      return {}
    },
    async '/drop'({ id }) {
      await snapshots.drop(String(id))
      return {}
    },
    '/time': async () => ({ now: clock.now() }),
    async '/advance'({ seconds }) {
      await clock.advance(seconds)
      return { now: clock.now() }
    },
    async '/mock'({ host, target }) {
      if (target === null) mocks.remove(host)
      else mocks.set(host, target)
      return {}
    },
    '/refused': async () => ({ hosts: [...mocks.refused()] }),
    '/task': async ({ id }) =>
      ({ record: await stack.taskRecord(String(id)) }) as { record?: TaskRecord },
    '/policy': (request) => deployPolicyOf(stack, request),
  }
  const app = new Hono()
  app.use(async (c, next) => {
    if (!sameText(c.req.header('authorization') ?? '', `Bearer ${token}`))
      return c.json({ error: 'the token of the stack is missing or wrong' }, 401)
    return await next()
  })
  app.use(bodyLimit({ maxSize: maxBody, onError: (c) => c.json({ error: 'body too large' }, 413) }))
  for (const [path, handle] of Object.entries(handlers)) {
    app.post(path, async (c) => {
      const body = await c.req.json()
      return c.json((await (handle as (body: unknown) => Promise<object>)(body)) as object)
    })
  }
  app.onError((error, c) => {
    if (!(error instanceof AppError)) return c.json({ error: errorText(error) }, 422)
    return c.json({ error: error.message, hint: error.hint }, 422)
  })
  const listener = await serve({
    fetch: app.fetch,
    port: 0,
    hostname: '127.0.0.1',
    localOnly: true,
  })
  return { url: listener.url, token, close: () => listener.close() }
}

function sameText(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
