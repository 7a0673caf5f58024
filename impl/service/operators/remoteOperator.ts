import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Operator } from './operator.ts'
import type { OperatorConnection } from './operatorConnection.ts'
import { operatorPaths } from './wire.ts'

/** Timeouts by call, milliseconds: shorter than the usual timeout of a task (section 8). */
export type CallTimeouts = {
  readonly data: number
  readonly evaluate: number
  readonly sign: number
  readonly secrets: number
}

export const defaultTimeouts: CallTimeouts = {
  data: 25_000,
  evaluate: 20_000,
  sign: 20_000,
  secrets: 20_000,
}

export type RemoteOperatorOptions = {
  readonly connection: Pick<OperatorConnection, 'call'>
  readonly address: Address
  readonly id: Bytes32
  readonly timeouts?: Partial<CallTimeouts> | undefined
}

/** The gateway's client of an operator in a separate process. The caller validates answers. */
export function remoteOperator(options: RemoteOperatorOptions): Operator {
  const { connection, address, id } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const calling =
    <Request, Answer>(path: string, timeoutMs: number) =>
    async (request: Request, signal: AbortSignal): Promise<Answer> =>
      (await connection.call(path, request, { signal, timeoutMs })).answer as Answer

  return {
    address,
    id,
    collectData: calling(operatorPaths.collectData, timeouts.data),
    evaluate: calling(operatorPaths.evaluate, timeouts.evaluate),
    beginOpening: calling(operatorPaths.beginOpening, timeouts.evaluate),
    sign: calling(operatorPaths.sign, timeouts.sign),
    checkSecrets: calling(operatorPaths.checkSecrets, timeouts.secrets),
  }
}
