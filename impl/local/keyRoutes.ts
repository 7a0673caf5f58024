import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context, Hono } from 'hono'
import { Address } from 'polgate-protocol/scalars.ts'
import type { PrivacyKey } from 'polgate-service/privacyKey.ts'
import type { KeyControl, KeyReport } from 'polgate-service/threshold/keyControl.ts'
import { ThresholdError } from 'polgate-service/threshold/thresholdError.ts'

export type KeyRouteParts = {
  /** The service of the stack now: a revert replaces it. */
  readonly privacyKey: () => Pick<PrivacyKey, 'control'> | undefined
  /** Where the operators store their shares. */
  readonly directory: string | undefined
}

/** What `GET /key` and every operation on the key answer. */
export type KeyAnswer = KeyReport & { readonly directory: string | null }

const Addresses = Type.Array(Address, { maxItems: 128 })
const Reshare = Type.Object({ needed: Type.Integer(), members: Addresses })
const Recover = Type.Object({ address: Address, without: Type.Optional(Addresses) })

/** Shows, refreshes, reshares and recovers the key that the operators share. */
export function addKeyRoutes(app: Hono, { privacyKey, directory }: KeyRouteParts): void {
  async function answer(c: Context, work: (control: KeyControl) => Promise<KeyReport>) {
    const control = privacyKey()?.control
    if (control === undefined)
      return c.json(
        {
          error: 'the operators of this stack do not share a key',
          hint: 'Start it with --threshold.',
        },
        422,
      )
    try {
      return c.json({ ...(await work(control)), directory: directory ?? null } satisfies KeyAnswer)
    } catch (error) {
      if (!(error instanceof ThresholdError)) throw error
      return c.json({ error: error.message, hint: error.hint }, 422)
    }
  }
  const bodyOf = (c: Context): Promise<unknown> => c.req.json().catch(() => undefined)

  app.get('/key', (c) => answer(c, (control) => control.status()))
  app.post('/key/refresh', (c) => answer(c, (control) => control.refresh()))
  app.post('/key/reshare', async (c) => {
    const body = await bodyOf(c)
    if (!Value.Check(Reshare, body))
      return c.json({ error: 'a roster is {needed, members}, members being addresses' }, 422)
    return answer(c, (control) => control.reshare(body))
  })
  app.post('/key/recover', async (c) => {
    const body = await bodyOf(c)
    if (!Value.Check(Recover, body))
      return c.json({ error: 'a recovery is {address, without?}, without being addresses' }, 422)
    return answer(c, (control) => control.recover(body.address, body.without))
  })
}
