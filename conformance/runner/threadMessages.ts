import type { CheckFinished } from './events.ts'
import type { SecretNews, SessionOptions } from './session.ts'

/** What a thread that runs checks loads. */
export type ThreadLoad = {
  /** A module whose export `checks` replaces the suite's catalogue. */
  readonly catalogue?: string | undefined
}

/** Input of its session; all of it can be cloned. */
type SessionInput = Omit<SessionOptions, 'fetch' | 'onNews'>

export type ThreadInput = SessionInput & ThreadLoad

export type ToThread =
  /** The first message, sent once. */
  | { readonly type: 'begin'; readonly input: SessionInput }
  | { readonly type: 'ask'; readonly id: string }
  | { readonly type: 'news'; readonly news: SecretNews }

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'finished'; readonly result: CheckFinished }
  | { readonly type: 'news'; readonly news: SecretNews }
  /** An error that no check caught: it may invalidate any verdict. */
  | { readonly type: 'broken'; readonly message: string }
