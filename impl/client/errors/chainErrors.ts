import { attestationHints } from './attestationHints.ts'
import { ClientError, type ErrorCode, type ErrorContext } from './clientError.ts'
import { registryHints } from './registryHints.ts'

export type RevertContext = ErrorContext & {
  /** Name of the custom error, such as `PolicyDataExpired`, if it is a known one. */
  readonly errorName?: string | undefined
  readonly args?: readonly unknown[] | undefined
}

class RevertError extends ClientError {
  readonly errorName: string | undefined
  readonly args: readonly unknown[]

  constructor(
    message: string,
    context: RevertContext,
    description: { name: string; code: ErrorCode; hint?: string; docs: string },
  ) {
    const { errorName, args = [], metaMessages = [], ...rest } = context
    const call =
      errorName === undefined ? [] : [`Reverted with: ${errorName}(${args.map(String).join(', ')})`]
    super(message, { ...rest, ...description, metaMessages: [...metaMessages, ...call] })
    this.errorName = errorName
    this.args = args
  }
}

/** The chain could not be read, or a contract reverted (section 7.2, -32616). */
export class ContractError extends RevertError {
  constructor(context: RevertContext = {}) {
    super('A contract call failed.', context, {
      name: 'ContractError',
      code: 'CONTRACT_ERROR',
      hint:
        registryHints[context.errorName ?? ''] ??
        'Check the addresses, the chain, and that its node works.',
      docs: 'service.md#7.2',
    })
  }
}

/** The attestation, or the data of an oracle in it, is valid only in earlier blocks (decision T9). */
export class AttestationExpiredError extends RevertError {
  /** Valid in every block before this one, if known. */
  readonly expiration: bigint | undefined
  readonly block: bigint | undefined

  constructor(
    context: RevertContext & {
      readonly expiration?: bigint | undefined
      readonly block?: bigint | undefined
    } = {},
  ) {
    const { expiration, block, metaMessages = [], ...rest } = context
    const lines = [
      ...(expiration === undefined ? [] : [`Expiration: block ${expiration}`]),
      ...(block === undefined ? [] : [`Next block: ${block}`]),
    ]
    super(
      'The attestation has expired.',
      { ...rest, metaMessages: [...lines, ...metaMessages] },
      {
        name: 'AttestationExpiredError',
        code: 'ATTESTATION_EXPIRED',
        hint: 'Create the task again.',
        docs: 'decisions.md#T9',
      },
    )
    this.expiration = expiration
    this.block = block
  }
}

/** An attestation can be spent once. */
export class AttestationSpentError extends RevertError {
  constructor(context: RevertContext = {}) {
    super('The attestation is already spent.', context, {
      name: 'AttestationSpentError',
      code: 'ATTESTATION_SPENT',
      hint: 'Create another task.',
      docs: 'decisions.md#C7',
    })
  }
}

/** The policy client, or the task manager, refuses the attestation (decision C7). */
export class AttestationRefusedError extends RevertError {
  constructor(context: RevertContext = {}) {
    const hint = attestationHints[context.errorName ?? '']
    super('The contract refuses the attestation.', context, {
      name: 'AttestationRefusedError',
      code: 'ATTESTATION_REFUSED',
      ...(hint === undefined ? {} : { hint }),
      docs: 'decisions.md#C7',
    })
  }
}

/** The result, or the wallet, cannot spend: nothing was sent, or the wallet took it back. */
export class NotSpendableError extends ClientError {
  constructor(reason: string, hint: string, context: ErrorContext = {}) {
    super(reason, { ...context, name: 'NotSpendableError', code: 'NOT_SPENDABLE', hint })
  }
}

/** The policy client exposes no usable EIP-712 domain (section 4.2). */
export class DomainUnknownError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The policy client does not state the domain that intents are signed under.', {
      ...context,
      name: 'DomainUnknownError',
      code: 'DOMAIN_UNKNOWN',
      hint: "Pass domain: { name, version } with the two constructor arguments of the contract's EIP-712 base; they cannot be read from the chain.",
      docs: 'service.md#4.2',
    })
  }
}

/** The gateway's signature does not register the uploaded data (decision K7). */
export class RegistrationInvalidError extends ClientError {
  constructor(reason: string, context: ErrorContext = {}) {
    super(`The registration of the identity data is not valid: ${reason}.`, {
      ...context,
      name: 'RegistrationInvalidError',
      code: 'REGISTRATION_INVALID',
      docs: 'decisions.md#K7',
    })
  }
}
