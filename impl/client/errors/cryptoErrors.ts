import { ClientError, type ErrorContext } from './clientError.ts'

/** An envelope could not be sealed. Nothing of what was to be sealed is part of the error. */
export class SealingFailedError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The envelope could not be sealed.', {
      ...context,
      name: 'SealingFailedError',
      code: 'SEALING_FAILED',
      hint: 'Check that the public key is that of the gateway, and that the platform has WebCrypto.',
      docs: 'decisions.md#K2',
    })
  }
}

/** An account or a wallet did not sign: the data does not fit its types, or its owner refused. */
export class SigningFailedError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The typed data was not signed.', {
      ...context,
      name: 'SigningFailedError',
      code: 'SIGNING_FAILED',
      hint: 'Check the members of what is signed, and the wallet.',
      docs: 'service.md#5.4',
    })
  }
}

/** The first line of what a library says, which has no key and no secret. */
export const toldBy = (error: unknown): string | undefined =>
  error instanceof Error ? error.message.split('\n')[0] : undefined
