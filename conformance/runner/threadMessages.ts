import type { CheckFinished } from './events.ts'
import type { SecretNews, SessionOptions } from './session.ts'

/** What a thread that asks checks is told at its start: all of it can be cloned. */
export type ThreadInput = Omit<SessionOptions, 'fetch' | 'onNews'> & {
  /** A module whose export `checks` is asked in place of the suite's own. */
  readonly catalogue?: string
}

export type ToThread =
  | { readonly type: 'ask'; readonly id: string }
  | { readonly type: 'news'; readonly news: SecretNews }

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'finished'; readonly result: CheckFinished }
  | { readonly type: 'news'; readonly news: SecretNews }
  /** Something went wrong that no check has caught: nobody knows which verdict it spoils. */
  | { readonly type: 'broken'; readonly message: string }
