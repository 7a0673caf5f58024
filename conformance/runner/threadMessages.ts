import type { CheckFinished } from '../core/events.ts'
import type { SecretNews, SessionOptions } from './session.ts'

/** What a thread that asks checks loads. */
export type ThreadLoad = {
  /** A module whose export `checks` is asked in place of the suite's own. */
  readonly catalogue?: string | undefined
}

/** What its session is made of: all of it can be cloned. */
type SessionInput = Omit<SessionOptions, 'fetch' | 'onNews'>

export type ThreadInput = SessionInput & ThreadLoad

export type ToThread =
  /** First of all, and once. */
  | { readonly type: 'begin'; readonly input: SessionInput }
  | { readonly type: 'ask'; readonly id: string }
  | { readonly type: 'news'; readonly news: SecretNews }

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'finished'; readonly result: CheckFinished }
  | { readonly type: 'news'; readonly news: SecretNews }
  /** Something went wrong that no check has caught: nobody knows which verdict it spoils. */
  | { readonly type: 'broken'; readonly message: string }
