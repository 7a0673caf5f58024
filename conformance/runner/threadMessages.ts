import type { CheckFinished } from '../core/events.ts'
import type { SecretUpdate, SessionOptions } from './session.ts'

/** Input of its session; all of it can be cloned. */
export type ThreadInput = Omit<
  SessionOptions,
  'fetch' | 'onNews' | 'expectationOf' | 'overloaded' | 'loop'
>

export type ToThread =
  /** The first message, sent once. */
  | { readonly type: 'begin'; readonly input: ThreadInput }
  | { readonly type: 'ask'; readonly id: string }
  | { readonly type: 'news'; readonly news: SecretUpdate }

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'finished'; readonly result: CheckFinished }
  | { readonly type: 'news'; readonly news: SecretUpdate }
  /** An error that no check caught: it may invalidate any verdict. */
  | { readonly type: 'broken'; readonly message: string }
