import { type TSchema, Type } from '@sinclair/typebox'
import type { Address } from 'polgate-protocol/scalars.ts'
import { HolderStatus, type KeyMember } from '../threshold/keyHolder.ts'
import { Settled } from '../threshold/keyLifecycle.ts'
import { SealedPartial } from '../threshold/opening.ts'
import { Signed, validatorOf } from '../threshold/signed.ts'
import { keySharePaths } from './keySharePaths.ts'
import type { OperatorConnection } from './operatorConnection.ts'
import { operatorUnreachable } from './operatorErrors.ts'
import { unknownCall } from './signedAnswer.ts'

export type RemoteKeyHolderOptions = {
  readonly connection: Pick<OperatorConnection, 'call'>
  readonly address: Address
  /** Timeout of each call, milliseconds. */
  readonly timeoutMs?: number | undefined
}

const answerOf = <T extends TSchema>(schema: T) => validatorOf(Type.Object({ answer: schema }))
const statusAnswer = answerOf(HolderStatus)
const signedAnswer = answerOf(Signed)
const partialAnswer = answerOf(SealedPartial)
const settledAnswer = answerOf(Settled)

/** The key holder of an operator in a separate process. Its answers are validated. */
export function remoteKeyHolder(options: RemoteKeyHolderOptions): KeyMember {
  const { connection, address, timeoutMs = 20_000 } = options
  const call =
    <Answer>(path: string, read: (body: unknown) => { answer: Answer }) =>
    async (request: unknown, signal: AbortSignal): Promise<Answer> => {
      const body = await connection.call(path, request, { signal, timeoutMs }).catch(withoutShare)
      return read(body).answer
    }

  const status = call(keySharePaths.status, statusAnswer)
  return {
    address,
    status: (signal) => status({}, signal),
    generate: call(keySharePaths.generate, signedAnswer),
    complete: call(keySharePaths.complete, statusAnswer),
    open: call(keySharePaths.open, partialAnswer),
    reshare: call(keySharePaths.reshare, signedAnswer),
    settle: call(keySharePaths.settle, settledAnswer),
    recover: call(keySharePaths.recover, signedAnswer),
  }
}

function withoutShare(error: unknown): never {
  const unknown = error instanceof Error && error.message.endsWith(unknownCall)
  throw unknown
    ? operatorUnreachable('it has no key share: its configuration has no threshold', error, false)
    : error
}
