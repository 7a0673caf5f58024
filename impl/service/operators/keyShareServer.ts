import type { Context, Hono } from 'hono'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import type { KeyHolder } from '../threshold/keyHolder.ts'
import { ThresholdError } from '../threshold/thresholdError.ts'
import { keySharePaths } from './keySharePaths.ts'
import { toWireError } from './wire.ts'

/** Serves an operator's part of a shared key; the server checks signature and size before (section 4.10). */
export function serveKeyShare(app: Hono, holder: KeyHolder): void {
  app.post(keySharePaths.status, (c) => answer(c, (_, signal) => holder.status(signal)))
  app.post(keySharePaths.generate, (c) => answer(c, holder.generate))
  app.post(keySharePaths.complete, (c) => answer(c, holder.complete))
  app.post(keySharePaths.open, (c) => answer(c, holder.open))
}

/** The holder checks what it is given: nothing is known of the request but that it is JSON. */
async function answer<Request, Answer>(
  c: Context,
  call: (request: Request, signal: AbortSignal) => Promise<Answer>,
): Promise<Response> {
  try {
    return c.json({ answer: await call(await c.req.json<Request>(), c.req.raw.signal) })
  } catch (error) {
    return c.json({ error: toWireError(publicError(error)) })
  }
}

/** The texts of both families name members and sizes, and never what was in them. */
const publicError = (error: unknown): unknown =>
  error instanceof ThresholdError || error instanceof EnvelopeError
    ? new ServiceError(error.message, {
        code: errorCode.internalError,
        clause: 'section 4.10',
        retryable: error.code === 'run' || error.code === 'shortage',
      })
    : error
