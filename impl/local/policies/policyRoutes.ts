import { Value } from '@sinclair/typebox/value'
import type { Context, Hono } from 'hono'
import { ChainError, ChainReadError, ChainWriteError } from 'polgate-chain/errors.ts'
import {
  type ClientDetail,
  SetOwnerBody,
  SetPolicyBody,
} from 'polgate-protocol/control/policies.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { ClientChangeError, type ClientChanges } from './changeClient.ts'
import type { PolicyViews } from './policyViews.ts'
import type { Redecider } from './redecide.ts'

export type PolicyRouteParts = {
  readonly views: PolicyViews
  readonly changes: ClientChanges
  readonly redecider: Pick<Redecider, 'paramsProblem'>
}

const mostPages = 1_000_000
const largestPage = 100

/** Routes of deployed policies and of policy clients. */
export function addPolicyRoutes(app: Hono, parts: PolicyRouteParts): void {
  const { views, changes } = parts
  app.get('/policies', (c) => paged(c, views.policies))
  app.get('/clients', (c) => paged(c, views.clients))
  app.get('/policies/:address', (c) => found(c, 'policy', views.policy))
  app.get('/clients/:address', (c) => found(c, 'client', views.client))

  app.post('/clients/:address/policy', async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined)
    const wanted =
      'a policy is set with {policyAddress?, params?, expireAfter?}; params are JSON text'
    if (!Value.Check(SetPolicyBody, body)) return c.json({ error: wanted }, 422)
    return await changed(c, async (client) => {
      await refuseUnfit(client, body, c.req.raw.signal)
      return await changes.setPolicy(client, body)
    })
  })
  app.post('/clients/:address/owner', async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined)
    const wanted = 'ownership is transferred with {owner}, an address'
    if (!Value.Check(SetOwnerBody, body)) return c.json({ error: wanted }, 422)
    return await changed(c, (client) => changes.setOwner(client, body.owner))
  })

  /** With parameters that do not match its schema, the policy would refuse every task. */
  async function refuseUnfit(
    client: ClientDetail,
    { policyAddress, params }: SetPolicyBody,
    signal: AbortSignal,
  ): Promise<void> {
    const address = policyAddress?.toLowerCase() as Address | undefined
    const policy = address === undefined ? client.policy : await views.policy(address)
    const schema = policy?.paramsSchema?.text ?? null
    const problem = await parts.redecider.paramsProblem(params ?? client.params, schema, signal)
    if (problem === null) return
    throw new ClientChangeError(problem, {
      hint: 'Compare the parameters with the JSON Schema of the policy; the client keeps its policy.',
    })
  }

  const changed = (c: Context, change: (client: ClientDetail) => Promise<object>) =>
    found(c, 'client', async (address) => {
      const client = await views.client(address)
      return client && (await change(client))
    })
}

type Page = { readonly page: number; readonly size: number }

function paged(c: Context, read: (page: Page) => Promise<object>) {
  const page = wholeNumber(c.req.query('page') ?? '1', mostPages)
  const size = wholeNumber(c.req.query('size') ?? '50', largestPage)
  if (page === undefined || size === undefined)
    return c.json({ error: `page is from 1, size from 1 to ${largestPage}` }, 422)
  return answered(c, () => read({ page, size }))
}

const wholeNumber = (text: string, most: number): number | undefined =>
  /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most ? Number(text) : undefined

/** The answer about an address; 404 where there is nothing known of it. */
async function found(
  c: Context,
  what: string,
  read: (address: Address) => Promise<object | undefined>,
) {
  const address = c.req.param('address') ?? ''
  if (!/^0x[0-9a-fA-F]{40}$/.test(address))
    return c.json({ error: 'the address is not 20 bytes of hex with 0x' }, 422)
  return await answered(c, async () => {
    const answer = await read(address.toLowerCase() as Address)
    return answer ?? `no ${what} at ${address}`
  })
}

/** 404: nothing there; 422: refused by this stack or by the contract; 502: the node does not respond. */
async function answered(c: Context, work: () => Promise<object | string>) {
  try {
    const answer = await work()
    return typeof answer === 'string' ? c.json({ error: answer }, 404) : c.json(answer)
  } catch (error) {
    if (error instanceof ChainReadError && error.code !== 'unreachable')
      return c.json({ error: error.message, hint: error.hint }, 404)
    const isRefused = error instanceof ChainWriteError && error.code === 'reverted'
    if (isRefused || error instanceof ClientChangeError)
      return c.json({ error: error.message, hint: error.hint }, 422)
    if (!(error instanceof ChainError)) throw error
    return c.json({ error: error.message, hint: error.hint }, 502)
  }
}
