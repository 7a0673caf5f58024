import { CommandError } from '../../commandDefinition.ts'
import { CasesFile, type DecisionCase } from '../../package/casesSchema.ts'
import { yamlReader } from '../../package/checkedYaml.ts'
import type { PolicyPackage } from '../../package/policyPackage.ts'
import { checkValues } from './loadMocks.ts'
import { hostName } from './secretHosts.ts'

const readCases = yamlReader(CasesFile, 'a decision table')

export type PlacedCase = DecisionCase & {
  /** `file:line:column` */
  readonly place: string
}

/**
 * Reads the decision table of a package.
 *
 * @throws CommandError for cases that do not match the schema, and names that are not in the package
 */
export async function loadCases(
  path: string,
  { oracles }: Pick<PolicyPackage, 'oracles'>,
): Promise<readonly PlacedCase[]> {
  const { value, placeOf } = await readCases(path)
  const names = new Map<string, string>()
  return value.cases.map((each, at) => {
    const place = placeOf('cases', at, 'name')
    const first = names.get(each.name)
    if (first !== undefined) {
      throw new CommandError(`${place} two cases are named ${JSON.stringify(each.name)}`, {
        hint: `The other one is at ${first}. Reports name cases.`,
      })
    }
    names.set(each.name, place)
    for (const member of ['wasmArgs', 'secrets'] as const)
      for (const id of Object.keys(each[member] ?? {})) {
        const oracle = oracles.find((known) => known.id === id)
        if (oracle === undefined)
          throw new CommandError(`${placeOf('cases', at, member, id)} unknown oracle ${id}`, {
            hint: `Oracles are: ${oracles.map((known) => known.id).join(', ') || 'none'}.`,
          })
        if (member === 'secrets' && oracle.secretsSchema === undefined)
          throw new CommandError(
            `${placeOf('cases', at, member, id)} oracle ${id} has secrets but no secretsSchema`,
            { hint: 'The service requires a schema for secrets: add secretsSchema.' },
          )
      }
    checkValues(each.mocks ?? {}, (...path) => placeOf('cases', at, 'mocks', ...path))
    const { time = value.time, allowsDespite = {} } = each
    const despite = Object.entries(allowsDespite).map(([host, modes]) => [hostName(host), modes])
    return {
      ...each,
      ...(time === undefined ? {} : { time }),
      allowsDespite: Object.fromEntries(despite),
      place,
    }
  })
}
