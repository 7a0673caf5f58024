import type { MethodName, ParamsOf, ResultOf } from '../../protocol/methods.ts'
import type { Caller, TaskPort } from '../ports.ts'

/** What a method may reach. */
export type HandlerContext = {
  readonly caller: Caller
  readonly tasks: TaskPort
  /** Public halves only: 64 hex digits each (section 4.10). */
  readonly encryptionKeys: {
    readonly secretsPublicKey: string
    readonly privacyPublicKey: string
  }
}

export type Handler<M extends MethodName> = (
  params: ParamsOf<M>,
  context: HandlerContext,
) => Promise<ResultOf<M>>

export type Handlers = { readonly [M in MethodName]: Handler<M> }
