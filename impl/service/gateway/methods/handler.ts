import type { MethodName, ParamsOf, ResultOf } from 'polgate-protocol/methods.ts'
import type { Caller, SealedDataPort, TaskPort, WebhookPort } from '../ports.ts'

/** The dependencies of a method besides its caller. */
export type MethodPorts = {
  readonly tasks: TaskPort
  readonly webhooks: WebhookPort
  readonly sealedData: SealedDataPort
  /** Public keys only: 64 hex digits each (section 4.10). */
  readonly encryptionKeys: {
    readonly secretsPublicKey: string
    readonly privacyPublicKey: string
  }
}

export type HandlerContext = MethodPorts & { readonly caller: Caller }

export type Handler<M extends MethodName> = (
  params: ParamsOf<M>,
  context: HandlerContext,
) => Promise<ResultOf<M>>

export type Handlers = { readonly [M in MethodName]: Handler<M> }
