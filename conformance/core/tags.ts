import { type CheckInfo, sectionOf } from './check.ts'
import { isSlow } from './durations.ts'

/** All tags; those of a check are derived from the check itself. */
export const tags = [
  'rpc',
  'explorer',
  'webhook',
  'ws',
  'chain',
  'property',
  'negative',
  'exclusive',
  'slow',
  'writes',
  'own',
] as const
export type Tag = (typeof tags)[number]

/** Requirements that indicate a surface which the check's name may not. */
const surfaceOf: readonly (readonly [need: string, tag: Tag])[] = [
  ['explorer', 'explorer'],
  ['webhook-receiver', 'webhook'],
  ['websocket', 'ws'],
]

/** A check, or the description of one, which says whether it is a property and which file has it. */
export type TaggedCheck = CheckInfo & {
  readonly isProperty?: boolean
  /** From the root of the repository: `conformance/checks/5.1-keys.ts`. */
  readonly file?: string
  readonly run?: unknown
}

/** Properties over generated values go through one function, whatever generates the values. */
export const isProperty = ({ id, run, isProperty: known }: TaggedCheck): boolean =>
  known ?? (/\b(checkProperty|checkSequences?)\b/.test(String(run)) || /\.any[.-]/.test(id))

/** What a check leaves on the target, or changes temporarily: for those who must approve it. */
export function effectsOf(check: CheckInfo): readonly string[] {
  const needs: readonly string[] = [...check.needs, ...(check.uses ?? [])]
  const has = (...names: readonly string[]) => names.some((name) => needs.includes(name))
  const effects = {
    'submits tasks':
      has('sender') && !/simulat/i.test(check.id) && !check.id.startsWith('explorer.'),
    'sends transactions': has('owner', 'stranger', 'provider', 'chain:dev'),
    'stores secrets or data': has('key:write'),
    'registers webhooks': has('webhook-receiver') || /webhook/i.test(check.id),
    'creates and deletes keys': has('key-control'),
    'stops operators': has('operator-control'),
    'changes rate limits': has('limit-control'),
    'changes the data that oracles fetch': has('world'),
  }
  return Object.entries(effects).flatMap(([name, holds]) => (holds ? [name] : []))
}

export function tagsOf(check: TaggedCheck): readonly Tag[] {
  const needs: readonly string[] = check.needs
  const [surface = ''] = check.id.split('.')
  const found = new Set<Tag>(tags.filter((tag) => tag === surface))
  for (const [need, tag] of surfaceOf) if (needs.includes(need)) found.add(tag)
  if (/^7\.5$/.test(sectionOf(check)) || needs.includes('chain:dev')) found.add('chain')
  if (check.own !== undefined) found.add('own')
  if (found.size === 0) found.add('rpc')
  if (isProperty(check)) found.add('property')
  if (check.twin !== undefined) found.add('negative')
  if (check.exclusive) found.add('exclusive')
  if (isSlow(check)) found.add('slow')
  if (effectsOf(check).length > 0) found.add('writes')
  return tags.filter((tag) => found.has(tag))
}
