import type { Hex } from '../hex.ts'
import { ClientError, type ErrorContext } from './clientError.ts'

/** The policy, or the policy of a client, does not exist (section 7.5). */
export class PolicyNotFoundError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('There is no such policy.', {
      ...context,
      name: 'PolicyNotFoundError',
      code: 'POLICY_NOT_FOUND',
      hint: 'Check the address, that the client has a policy, and the network.',
      docs: 'service.md#7.5',
    })
  }
}

/** The explorer, or the gateway, has nothing under this name. */
export class NotFoundError extends ClientError {
  constructor(what: string, context: ErrorContext = {}) {
    super(`There is no such ${what}.`, {
      ...context,
      name: 'NotFoundError',
      code: 'NOT_FOUND',
      hint: 'Check the id and the network.',
      docs: 'service.md#7.6',
    })
  }
}

export type MissingSecret = {
  readonly policy_data_address: Hex
  readonly has_secrets_schema: boolean
}

/** Oracles need secrets that were not uploaded (section 7.3). */
export class MissingSecretsError extends ClientError {
  /** The contracts without secrets; empty if the gateway did not list them. */
  readonly missing: readonly MissingSecret[]

  constructor(context: ErrorContext & { readonly missing?: readonly MissingSecret[] } = {}) {
    const { missing = [], metaMessages = [], ...rest } = context
    super('Secrets of oracles are missing.', {
      ...rest,
      metaMessages: [
        ...metaMessages,
        ...missing.slice(0, 20).map((each) => `Missing: ${each.policy_data_address}`),
      ],
      name: 'MissingSecretsError',
      code: 'MISSING_SECRETS',
      hint: 'Upload them with storeSecrets.',
      docs: 'service.md#7.3',
    })
    this.missing = missing
  }
}

/** The secrets do not fit the schema of the oracle (section 2.7). Nothing was stored. */
export class SecretsInvalidError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The secrets do not fit the schema of the oracle.', {
      ...context,
      name: 'SecretsInvalidError',
      code: 'SECRETS_INVALID',
      hint: 'Nothing was stored.',
      docs: 'service.md#2.7',
    })
  }
}

/** The version of a policy, or of policy data, is not supported (decision C14). */
export class IncompatibleVersionError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The version of the policy or of its data is not supported.', {
      ...context,
      name: 'IncompatibleVersionError',
      code: 'INCOMPATIBLE_VERSION',
      docs: 'decisions.md#C14',
    })
  }
}
