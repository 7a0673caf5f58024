import { isObject } from '../core/expect.ts'
import type { Target } from '../core/target.ts'
import { whyUnanswered } from '../core/unanswered.ts'
import { readJson } from '../wire/readText.ts'

export type RestoreOptions = {
  readonly fetch: typeof fetch
  /** Receives one line for everything that another user of the target had left changed. */
  readonly note: (text: string) => void
}

type Ask = (
  path: string,
  method?: 'GET' | 'POST' | 'DELETE',
  body?: unknown,
) => Promise<unknown | undefined>

/** Requests to a listener; undefined where it does not serve the path. */
const asking =
  (base: string, fetch: RestoreOptions['fetch']): Ask =>
  async (path, method = 'GET', body) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    const answer = await readJson(response)
    return response.ok ? answer : undefined
  }

const objectsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])

async function startOperators(ask: Ask, note: RestoreOptions['note']): Promise<void> {
  const stopped = objectsIn(await ask('/operators')).flatMap(({ running, index }) =>
    running === false && Number.isInteger(index) ? [Number(index)] : [],
  )
  for (const index of stopped) await ask(`/operators/${index}/start`, 'POST')
  if (stopped.length > 0) note(`operators that were stopped before the run: ${stopped.join(', ')}`)
}

async function restoreLimits(ask: Ask, note: RestoreOptions['note']): Promise<void> {
  const before = await ask('/limits')
  if (before === undefined) return
  const after = await ask('/limits', 'POST', {})
  if (after !== undefined && JSON.stringify(before) !== JSON.stringify(after))
    note('rate limits that were changed before the run are restored')
}

async function restoreOracleData(ask: Ask): Promise<void> {
  if ((await ask('/world')) !== undefined) await ask('/world', 'POST', {})
}

async function removeFaults(ask: Ask): Promise<void> {
  for (const { name } of objectsIn(await ask('/links')))
    if (typeof name === 'string') await ask(`/links/${name}`, 'DELETE')
}

/**
 * Brings a target that the suite controls into its initial state: all operators run, its own rate
 * limits and oracle data apply, no fault is injected. Another user of the target, or a run that was
 * interrupted, may have left it otherwise, which no check could tell from a fault of the gateway.
 */
export async function restoreControls(
  { controlUrl, chaosUrl, limits }: Pick<Target, 'controlUrl' | 'chaosUrl' | 'limits'>,
  { fetch, note }: RestoreOptions,
): Promise<void> {
  if (limits?.readOnly) return
  const careful = async (base: string, parts: readonly ((ask: Ask) => Promise<void>)[]) => {
    const ask = asking(base, fetch)
    for (const part of parts)
      await part(ask).catch((error) =>
        note(`the initial state of the target is not restored: ${whyUnanswered(error).text}`),
      )
  }
  await Promise.all([
    controlUrl === undefined
      ? undefined
      : careful(controlUrl, [
          (ask) => startOperators(ask, note),
          (ask) => restoreLimits(ask, note),
          restoreOracleData,
        ]),
    chaosUrl === undefined ? undefined : careful(chaosUrl, [removeFaults]),
  ])
}
