import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { isObject } from '../../core/expect.ts'
import type { Chaos, ChaosFault } from '../servers/chaos.ts'

/** A connection of the target on which faults can be injected. */
export type Link = {
  readonly name: string
  readonly url: string
  readonly counts: Readonly<Record<string, number>>
}

async function ask(
  t: CheckContext,
  path: string,
  method: 'GET' | 'PUT' | 'DELETE' = 'GET',
  chaos?: Chaos,
): Promise<unknown> {
  const response = await t.fetch(`${t.target.chaosUrl}${path}`, {
    method,
    ...(chaos === undefined ? {} : { body: JSON.stringify(chaos) }),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok)
    throw new Untestable(`the chaos listener answered ${response.status} to ${path}`)
  return response.json()
}

/** All links of the target; those to operators are `operator-0` and so on. */
export async function linksOf(t: CheckContext): Promise<readonly Link[]> {
  const links = await ask(t, '/links')
  return Array.isArray(links) ? links.filter((each): each is Link => isObject(each)) : []
}

/** A link by its name. Throws `Untestable` if the target has none. */
export async function linkOf(t: CheckContext, name: string): Promise<Link> {
  const found = (await linksOf(t)).find((link) => link.name === name)
  if (found === undefined) throw new Untestable(`the target has no fault injection for ${name}`)
  return found
}

/** How often each fault occurred on a link. */
const struck = ({ counts }: Link): number =>
  Object.entries(counts).reduce((sum, [name, n]) => (name === 'passed' ? sum : sum + n), 0)

export type ChaosOn = {
  readonly links: readonly string[]
  readonly trouble: ChaosFault
  readonly share?: number
  readonly only?: readonly string[]
}

/**
 * Runs something while some links are faulty; all faults are removed afterwards, whatever happens.
 */
export async function inChaos<T>(
  t: CheckContext,
  { links, ...chaos }: ChaosOn,
  run: () => Promise<T>,
): Promise<{ readonly value: T; readonly struck: number }> {
  const total = async () => {
    const named = (await linksOf(t)).filter(({ name }) => links.includes(name))
    return named.reduce((sum, link) => sum + struck(link), 0)
  }
  for (const name of links) await linkOf(t, name)
  const before = await total()
  try {
    for (const name of links)
      await ask(t, `/links/${name}`, 'PUT', { ...chaos, seed: `${t.seed(name)}` })
    const value = await run()
    return { value, struck: (await total()) - before }
  } finally {
    for (const name of links) await t.cleanup(() => ask(t, `/links/${name}`, 'DELETE'))
  }
}
