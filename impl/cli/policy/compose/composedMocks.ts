import { parse } from 'yaml'
import { CommandError } from '../../commandDefinition.ts'
import { readText } from '../inputFiles.ts'
import type { ComposedPart } from './composedPolicy.ts'

type Answers = Readonly<Record<string, unknown>>

/**
 * The mocked hosts of all packages; absent if none has mocks.
 *
 * @throws CommandError where two answer the same request differently
 */
export async function composedMocks(
  parts: readonly ComposedPart[],
): Promise<{ readonly hosts: Record<string, Answers> } | undefined> {
  const hosts: Record<string, Answers> = {}
  const answeredBy = new Map<string, string>()
  for (const { given } of parts) {
    if (given.mocks === undefined) continue
    const mocks = parse(await readText(given.mocks)) as { hosts?: Record<string, Answers> }
    for (const [host, answers] of Object.entries(mocks.hosts ?? {}))
      for (const [request, answer] of Object.entries(answers)) {
        const known = hosts[host]?.[request]
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(answer))
          throw new CommandError(
            `${answeredBy.get(`${host} ${request}`)} and ${given.mocks} answer ${host} ${request} differently`,
            { hint: 'Give both the same answer, or remove one, and compose again.' },
          )
        answeredBy.set(`${host} ${request}`, given.mocks)
        hosts[host] = { ...hosts[host], [request]: answer }
      }
  }
  return Object.keys(hosts).length === 0 ? undefined : { hosts }
}
