import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context, Hono } from 'hono'
import { AppError } from 'polgate-lib/errors/appError.ts'
import type { TimeTravel } from './timeTravel/timeTravel.ts'

/** A century: Anvil and the database count in seconds and milliseconds without overflow. */
export const maxSeconds = 100 * 366 * 24 * 3600

const Warp = Type.Union([
  Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: maxSeconds }) }),
  /** Unix milliseconds. */
  Type.Object({ time: Type.Integer({ minimum: 0 }) }),
])
const Revert = Type.Object({ id: Type.String({ maxLength: 64 }) })

/** Routes of a stack that can be moved in time. */
export function addTravelRoutes(app: Hono, travel: TimeTravel): void {
  const answered = async (c: Context, work: () => Promise<object>) => {
    try {
      return c.json(await work())
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return c.json({ error: error.message, hint: error.hint }, 422)
    }
  }
  const bodyOf = (c: Context): Promise<unknown> => c.req.json().catch(() => undefined)

  app.get('/chain/time', (c) => c.json({ now: travel.now() }))

  app.post('/chain/warp', async (c) => {
    const body = await bodyOf(c)
    if (!Value.Check(Warp, body))
      return c.json({ error: `warp takes {seconds} from 1 to ${maxSeconds}, or {time}` }, 422)
    // Rounded up: what is due at that time is due then.
    const seconds = 'seconds' in body ? body.seconds : Math.ceil((body.time - travel.now()) / 1_000)
    if (seconds < 1)
      return c.json(
        {
          error: `the clock of the stack is at ${new Date(travel.now()).toISOString()} and cannot go back`,
          hint: 'Revert to a snapshot to go back.',
        },
        422,
      )
    if (seconds > maxSeconds) return c.json({ error: 'the time is more than a century ahead' }, 422)
    return await answered(c, async () => {
      await travel.advance(seconds)
      return { now: travel.now() }
    })
  })

  app.get('/chain/snapshots', (c) => c.json(travel.snapshots()))
  app.post('/chain/snapshot', (c) => answered(c, async () => ({ id: await travel.snapshot() })))

  app.post('/chain/revert', async (c) => {
    const body = await bodyOf(c)
    if (!Value.Check(Revert, body))
      return c.json({ error: 'revert takes {id}, the id of a snapshot' }, 422)
    return await answered(c, async () => {
      await travel.revert(body.id)
      return { now: travel.now() }
    })
  })
}
