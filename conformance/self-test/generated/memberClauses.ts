import { callMembers } from './callMembers.ts'
import { eventMembers } from './eventMembers.ts'
import { explorerMembers } from './explorerMembers.ts'
import { type Member, pathText } from './member.ts'
import type { Specified, SpecifiedMembers } from './specified.ts'
import { bodies, sentTaskMembers, simulatedTaskMembers, taskMembers } from './taskMembers.ts'

/** What the specification says of every member of every surface. */
export const memberClauses: Readonly<Record<string, SpecifiedMembers>> = {
  'rpc.success': bodies.success,
  'rpc.failure': bodies.failure,
  'rpc.createTask': taskMembers,
  'rpc.sendTask': sentTaskMembers,
  'rpc.simulateTask': simulatedTaskMembers,
  ...callMembers,
  ...eventMembers,
  ...explorerMembers,
}

const everythingBelow = '**'

/** The row of a member: its own, or the nearest one that covers what is below. Undefined: none. */
export function specifiedOf(
  surface: string,
  { path }: Pick<Member, 'path'>,
): Specified | undefined {
  const members = memberClauses[surface] ?? {}
  const own = members[pathText(path)]
  if (own !== undefined) return own
  for (let length = path.length - 1; length >= 0; length--) {
    const row =
      members[[pathText(path.slice(0, length)), everythingBelow].filter(Boolean).join('.')]
    if (row !== undefined) return row
  }
  return undefined
}
