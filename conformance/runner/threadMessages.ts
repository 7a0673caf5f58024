import type { CheckFinished } from '../core/events.ts'
import type { SecretNews, SessionOptions } from './session.ts'

/** What its session is made of: all of it can be cloned. */
export type ThreadInput = Omit<SessionOptions, 'fetch' | 'onNews' | 'expectationOf'>

export type ToThread =
  /** First of all, and once. */
  | { readonly type: 'begin'; readonly input: ThreadInput }
  | { readonly type: 'ask'; readonly id: string }
  | { readonly type: 'news'; readonly news: SecretNews }

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'finished'; readonly result: CheckFinished }
  | { readonly type: 'news'; readonly news: SecretNews }
  /** Something went wrong that no check has caught: nobody knows which verdict it spoils. */
  | { readonly type: 'broken'; readonly message: string }
