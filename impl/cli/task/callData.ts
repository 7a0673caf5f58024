import { ClientError } from 'polgate-client/index.ts'
import { type EncodedCall, encodeCall, functionOf } from 'polgate-client/intents/encodeCall.ts'
import { CommandError } from '../commandDefinition.ts'

/**
 * Encodes a call. Arrays and tuples are JSON, in which large numbers are strings.
 *
 * @param words the signature, then an argument each
 * @throws CommandError
 */
export const callData = ([signature = '', ...texts]: readonly string[]): EncodedCall =>
  asCommandError('--call: ', () => encodeCall(functionOf(signature), texts))

/** Runs with the errors of the SDK as errors of a command. @throws CommandError */
export function asCommandError<T>(before: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof ClientError)) throw cause
    throw new CommandError(`${before}${cause.shortMessage}`, {
      hint: cause.hint ?? 'Check the signature and its arguments.',
      cause,
    })
  }
}
