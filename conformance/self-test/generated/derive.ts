import { alike, type Fault } from './fault.ts'
import { items, type Member, pathText } from './member.ts'
import { type OperatorName, operatorNames } from './operators.ts'
import type { Specified } from './specified.ts'

/** An operator that makes no fault of a member, and why. */
export type Excluded = {
  readonly operator: OperatorName
  readonly member: Member
  readonly reason: string
}

export type Derived = { readonly faults: readonly Fault[]; readonly excluded: readonly Excluded[] }

/** The next sibling with values of the same form. */
function partnerOf(member: Member, members: readonly Member[]): Member | undefined {
  const holder = pathText(member.path.slice(0, -1))
  const siblings = members.filter(
    ({ path }) => path.length === member.path.length && pathText(path.slice(0, -1)) === holder,
  )
  return siblings.slice(siblings.indexOf(member) + 1).find((each) => alike(member, each))
}

const lasts = (member: Member) => member.path.at(-1) ?? ''

/** Why the operator cannot change the member at all. */
function inapplicable(operator: OperatorName, member: Member, other?: Member): string | undefined {
  const isItem = lasts(member) === items
  const { types } = member
  const isScalar = types.length > 0 && !types.includes('object') && !types.includes('array')
  if (operator === 'rename' && isItem) return 'an item has no name'
  if (operator === 'swap' && other === undefined) return 'no later sibling has values of its form'
  if (operator === 'echo' && !isScalar) return 'requests have no value like it'
  if (operator === 'stale' && isItem) return 'the array as a whole is stale'
  if (operator === 'off-by-one' && !isScalar && !isItem) return 'it has no neighbour'
  if (member.values?.length === 1 && (operator === 'stale' || operator === 'echo'))
    return 'it has only one value'
  if (operator === 'retype' && types.length === 0) return 'any type is right'
  if (operator === 'off-by-one' && isText(member)) return 'text has no neighbour'
  return undefined
}

const isText = ({ types, pattern, format, values }: Member): boolean =>
  types.length === 1 &&
  types[0] === 'string' &&
  pattern === undefined &&
  format === undefined &&
  (values?.length ?? 0) < 2

const changesValue: readonly OperatorName[] = ['off-by-one', 'stale', 'swap', 'echo']

/** Why the answer is valid with the fault too. */
function valid(operator: OperatorName, specified: Specified, other: Specified | undefined) {
  const { value = 'exact', absent, legal = {} } = specified
  if (legal[operator] !== undefined) return legal[operator]
  if (absent !== undefined && ['drop', 'null', 'rename'].includes(operator)) return absent
  if (operator === 'swap' && other !== undefined && value === 'text' && other.value === 'text')
    return 'the texts are those of the gateway'
  if (operator === 'swap') return undefined
  if (value === 'text' && changesValue.includes(operator))
    return 'the specification leaves the value to the gateway'
  if (value === 'now' && (operator === 'off-by-one' || operator === 'stale'))
    return 'clocks may differ by more'
  return undefined
}

/**
 * The faults of a member: one for each operator that makes an invalid answer of a valid one. None of a
 * member that the specification says nothing about. Pure.
 *
 * @param members those of the same surface
 */
export function derive(
  members: readonly Member[],
  specifiedOf: (member: Member) => Specified | undefined,
  member: Member,
): Derived {
  const specified = specifiedOf(member)
  if (specified === undefined || specified.clauses.length === 0) return { faults: [], excluded: [] }
  const other = lasts(member) === items ? undefined : partnerOf(member, members)
  const faults: Fault[] = []
  const excluded: Excluded[] = []
  for (const operator of operatorNames) {
    const reason =
      inapplicable(operator, member, other) ??
      valid(operator, specified, other && specifiedOf(other))
    if (reason !== undefined) excluded.push({ operator, member, reason })
    else if (operator === 'swap') faults.push({ operator, member, other: lasts(other!) })
    else faults.push({ operator, member })
  }
  return { faults, excluded }
}
