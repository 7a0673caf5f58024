import { reaches } from '../kit/scenarios/operators.ts'

/** The actors: each has a separate key, associated with the account of that name. */
export type Side = 'mine' | 'theirs'
export const everybody: readonly Side[] = ['mine', 'theirs']

/** The account of each key (section 5.2). */
export const accountOf = { mine: 'owner', theirs: 'stranger' } as const
export type Account = (typeof accountOf)[Side]

/** Kinds of tasks by their result while every operator runs. */
export type TaskKind = 'allows' | 'denies' | 'requires every operator' | 'has no time' | 'traps'

/** How a task ends: with a signed decision, or without one. */
export type Ending = 'allowed' | 'denied' | 'failed'

export type ModelTask = {
  readonly by: Side
  readonly kind: TaskKind
  readonly way: 'created' | 'sent'
  readonly ending: Ending
  /** Whether the key had a webhook then. */
  readonly hooked: boolean
  /** Whether the key's second connection follows it. */
  following: 'never' | 'yes' | 'left'
}

/** The predicted state, without any requests. */
export type Model = {
  readonly stakes: readonly bigint[]
  readonly keys: Record<Side, { live: boolean; webhook: boolean }>
  /** Owner of the client that has stored secrets. */
  owner: Account
  secrets: 'none' | 'right' | 'wrong'
  readonly stopped: Set<number>
  readonly tasks: ModelTask[]
}

export const freshModel = (stakes: readonly bigint[]): Model => ({
  stakes,
  keys: { mine: { live: true, webhook: false }, theirs: { live: true, webhook: false } },
  owner: 'owner',
  secrets: 'none',
  stopped: new Set(),
  tasks: [],
})

/** Decision W2: only the key that sent a task follows it, so with that key its followers end for good. */
export function endKey(model: Model, who: Side): void {
  model.keys[who] = { live: false, webhook: false }
  for (const task of model.tasks) if (task.by === who) task.following = 'left'
}

/** The default quorum threshold of tasks. */
export const usualThreshold = 67

/** Sections 4.2, 6.3: the end of a task of that kind that starts now. */
export function endingOf({ stakes, stopped }: Model, kind: TaskKind): Ending {
  if (kind === 'has no time' || kind === 'traps') return 'failed'
  const threshold = kind === 'requires every operator' ? 100 : usualThreshold
  if (stakes.length > 0 && !reaches(stakes, [...stopped], threshold)) return 'failed'
  return kind === 'denies' ? 'denied' : 'allowed'
}

/** Tasks whose failure the webhook of a key must receive. */
export const sentTo = (model: Model, who: Side): readonly number[] =>
  model.tasks.flatMap(({ by, ending, hooked }, at) =>
    by === who && hooked && ending === 'failed' ? [at] : [],
  )
