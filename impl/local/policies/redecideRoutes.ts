import { Value } from '@sinclair/typebox/value'
import type { Hono } from 'hono'
import { ChainReadError } from 'polgate-chain/errors.ts'
import { RedecideBody, type TaskEvaluation } from 'polgate-protocol/control/redecide.ts'
import { policyParamsJson } from 'polgate-protocol/policyParams.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { ContentStore } from 'polgate-service/content/contentStore.ts'
import type { TaskRecords } from '../taskRecords.ts'
import type { PolicyViews } from './policyViews.ts'
import { inputOf, type Redecider } from './redecide.ts'

export type RedecideRouteParts = {
  readonly views: Pick<PolicyViews, 'client' | 'policy'>
  readonly redecider: Pick<Redecider, 'redecide'>
  readonly records: Pick<TaskRecords, 'evaluationOf'>
  readonly content: Pick<ContentStore, 'get'>
}

/** Decisions that were made: what a task was decided with, and how past tasks would be decided now. */
export function addRedecideRoutes(app: Hono, parts: RedecideRouteParts): void {
  app.post('/clients/:address/redecide', async (c) => {
    const address = c.req.param('address')
    const body: unknown = await c.req.json().catch(() => undefined)
    if (!Value.Check(RedecideBody, body))
      return c.json(
        {
          error:
            'tasks are decided again with {policyAddress?, params?, policySource?, entrypoint?}',
        },
        422,
      )
    if (body.params !== undefined && !isJsonObject(body.params))
      return c.json({ error: 'the parameters are not a JSON object' }, 422)
    const client = /^0x[0-9a-fA-F]{40}$/.test(address)
      ? await parts.views.client(address.toLowerCase() as Address)
      : undefined
    if (client === undefined) return c.json({ error: 'no client at this address' }, 404)
    const { policyAddress, ...change } = body
    if (policyAddress === undefined)
      return c.json(await parts.redecider.redecide(client, change, c.req.raw.signal))
    const policy = await parts.views
      .policy(policyAddress.toLowerCase() as Address)
      .catch((error: unknown) => {
        if (error instanceof ChainReadError) return error
        throw error
      })
    if (policy instanceof ChainReadError)
      return c.json(
        { error: policy.message, hint: policy.hint },
        policy.code === 'unreachable' ? 502 : 404,
      )
    const changed = { ...client, policy, problem: null }
    return c.json(await parts.redecider.redecide(changed, change, c.req.raw.signal))
  })

  app.get('/tasks/:id/evaluation', async (c) => {
    const taskId = c.req.param('id').toLowerCase() as Bytes32
    const found = parts.records.evaluationOf(taskId)
    if (found === undefined)
      return c.json(
        {
          error: 'what this task was decided with is not known',
          hint: 'It is kept in memory for the latest 1,000 tasks that reached the decision.',
        },
        404,
      )
    const { policyClient, evaluation } = found
    const { policy, entrypoint, params, paramsSchemaCid, data, now } = evaluation
    return c.json({
      ...{ taskId, policyClient, entrypoint, now, data: [...data] },
      source: 'source' in policy ? policy.source : await textOf(policy.cid),
      input: inputOf(evaluation),
      params: policyParamsJson(params),
      paramsSchema: paramsSchemaCid === '' ? null : await textOf(paramsSchemaCid),
    } satisfies TaskEvaluation)
  })

  async function textOf(cid: string): Promise<string | null> {
    const bytes = await parts.content
      .get(cid, { signal: AbortSignal.timeout(contentMs) })
      .catch(() => undefined)
    return bytes === undefined ? null : new TextDecoder().decode(bytes)
  }
}

const contentMs = 5_000

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
