import { clauses as register } from 'polgate-conformance/register/register.ts'
import type { Mutant } from '../mutants/mutant.ts'
import { derive, type Excluded } from './derive.ts'
import type { Fault } from './fault.ts'
import { type Member, pathId, pathText } from './member.ts'
import { specifiedOf } from './memberClauses.ts'
import { faultOnWire } from './onWire.ts'
import type { OperatorName } from './operators.ts'
import { type Surface, surfaces } from './surfaces.ts'

/** How strictly the specification speaks of a member, by the strictest of its clauses. */
export type MemberLevel = 'must' | 'should' | 'open' | 'unspecified'

/** A member of one surface, with the faults made of it. */
export type GeneratedMember = {
  /** `rpc.createTask task.nonce` */
  readonly name: string
  readonly level: MemberLevel
  readonly clauses: readonly string[]
  readonly mutants: readonly Mutant[]
  readonly excluded: readonly Excluded[]
}

const levels = new Map(register.map(({ id, level }) => [id, level]))
const withCheck = new Set(
  register.filter(({ noCheck }) => noCheck === undefined).map(({ id }) => id),
)

/** That of the strictest of the clauses. */
export function levelOf(clauses: readonly string[]): MemberLevel {
  const found = clauses.map((clause) => levels.get(clause))
  if (found.includes('must')) return 'must'
  if (found.includes('should')) return 'should'
  return clauses.length === 0 ? 'unspecified' : 'open'
}

const does: Readonly<Record<OperatorName, (member: string, fault: Fault) => string>> = {
  drop: (member) => `omits ${member}`,
  null: (member) => `has null as ${member}`,
  retype: (member) => `has another JSON type as ${member}`,
  rename: (member) => `has ${member} under another name`,
  'off-by-one': (member) => `has the value next to the right one as ${member}`,
  stale: (member) => `has ${member} of the answer before`,
  swap: (member, { other }) => `exchanges ${member} and ${other}`,
  echo: (member) => `has a value of the request as ${member}`,
}

/**
 * Clauses of checks that have the surface answer, for a stale fault: those of a member may ask once
 * only.
 */
const before: Readonly<Record<string, readonly string[]>> = {
  'rpc.sendTask': ['4.3-19'],
  'rpc.simulatePolicy': ['4.8-06', '2.6-12'],
  'rpc.simulatePolicyDataWithClient': ['4.7-04'],
  'rpc.registerWebhook': ['4.9-02'],
  'rpc.uploadConfidentialData': ['4.10-29'],
  'rpc.getIdentityEncrypted': ['4.10-40'],
  'rpc.getConfidentialData': ['4.10-40'],
}

/** Clauses of checks that run first. */
function firstOf({ id, members }: Surface, { operator, member, other }: Fault): readonly string[] {
  if (operator === 'stale') return before[id] ?? []
  const path = pathText([...member.path.slice(0, -1), other ?? ''])
  const sibling = members.find((each) => pathText(each.path) === path)
  return sibling === undefined ? [] : (specifiedOf(id, sibling)?.clauses ?? [])
}

function mutantOf(surface: Surface, fault: Fault, clauses: readonly string[]): Mutant {
  const { member, operator } = fault
  return {
    id: `generated.${surface.id}.${pathId(member.path)}.${operator}`,
    fault: `${surface.id}: ${does[operator](pathText(member.path), fault)}`,
    clauses: clauses.filter((clause) => withCheck.has(clause)),
    proof: 'any',
    before: firstOf(surface, fault),
    onWire: true,
    parts: faultOnWire(surface, fault),
  }
}

function ofSurface(surface: Surface): readonly GeneratedMember[] {
  const specified = (member: Member) => specifiedOf(surface.id, member)
  return surface.members.map((member) => {
    const clauses = specified(member)?.clauses ?? []
    const level = levelOf(clauses)
    const { faults, excluded } =
      level === 'must' || level === 'should'
        ? derive(surface.members, specified, member)
        : { faults: [], excluded: [] }
    return {
      name: `${surface.id} ${pathText(member.path)}`,
      level,
      clauses,
      mutants: faults.map((fault) => mutantOf(surface, fault, clauses)),
      excluded,
    }
  })
}

/** Every member of every answer, with its faults. */
export const generatedMembers: readonly GeneratedMember[] = surfaces.flatMap(ofSurface)

/**
 * Every fault that can be derived from the self-descriptions of the service: of each member that a must-
 * or should-clause specifies, by each operator that makes its answer invalid.
 */
export const generatedMutants: readonly Mutant[] = generatedMembers.flatMap(
  ({ mutants }) => mutants,
)
