import type { Context, Hono } from 'hono'
import type { KeyMember } from '../threshold/keyHolder.ts'
import { publicKeyShareError } from './keyShareError.ts'
import { keySharePaths } from './keySharePaths.ts'
import { toWireError } from './wire.ts'

/** Serves an operator's key holder; the server has checked signature and size (section 4.10). */
export function serveKeyShare(app: Hono, holder: KeyMember): void {
  app.post(keySharePaths.status, (c) => answer(c, (_, signal) => holder.status(signal)))
  app.post(keySharePaths.generate, (c) => answer(c, holder.generate))
  app.post(keySharePaths.complete, (c) => answer(c, holder.complete))
  app.post(keySharePaths.open, (c) => answer(c, holder.open))
  app.post(keySharePaths.reshare, (c) => answer(c, holder.reshare))
  app.post(keySharePaths.settle, (c) => answer(c, holder.settle))
  app.post(keySharePaths.recover, (c) => answer(c, holder.recover))
}

/** The key holder validates its input, which is arbitrary JSON here. */
async function answer<Request, Answer>(
  c: Context,
  call: (request: Request, signal: AbortSignal) => Promise<Answer>,
): Promise<Response> {
  try {
    return c.json({ answer: await call(await c.req.json<Request>(), c.req.raw.signal) })
  } catch (error) {
    return c.json({ error: toWireError(publicKeyShareError(error)) })
  }
}
