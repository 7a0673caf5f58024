import { bounded, ClientError, type ErrorContext } from './clientError.ts'

/** HTTP 401: the key is unknown, expired, rotated or deleted (section 5.1). */
export class UnauthorizedError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The API key is not valid.', {
      ...context,
      name: 'UnauthorizedError',
      code: 'UNAUTHORIZED',
      hint: 'It is unknown, expired, rotated or deleted: pass the current key to the client.',
      docs: 'service.md#5.1',
    })
  }
}

/** HTTP 403: the key lacks a permission (section 5.1), or the page's origin is not allowed. */
export class ForbiddenError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The API key may not do this.', {
      ...context,
      name: 'ForbiddenError',
      code: 'FORBIDDEN',
      hint: 'Use a key with the permission that is named below.',
      docs: 'service.md#5.1',
    })
  }
}

/** The caller's key is not associated with the owner of the policy client, or data (section 5.2). */
export class OwnershipError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The API key does not belong to the owner.', {
      ...context,
      name: 'OwnershipError',
      code: 'NOT_OWNER',
      hint: 'Use a key that is associated with the current owner on chain.',
      docs: 'service.md#5.2',
    })
  }
}

/** HTTP 429: the rate limit is exceeded, and the client has given up waiting (section 8). */
export class RateLimitedError extends ClientError {
  /** How long the gateway asked to wait, milliseconds; undefined if it did not say. */
  readonly retryAfterMs: number | undefined

  constructor(context: ErrorContext & { readonly retryAfterMs?: number | undefined } = {}) {
    const { retryAfterMs, ...rest } = context
    const wait = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`
    super('The rate limit of the API key is exceeded.', {
      ...rest,
      name: 'RateLimitedError',
      code: 'RATE_LIMITED',
      hint: `Nothing was executed: send the request again ${wait}.`,
      docs: 'service.md#8',
    })
    this.retryAfterMs = retryAfterMs
  }
}

/** The params, or the query, do not have the required form (section 7.3). */
export class InvalidParamsError extends ClientError {
  /** Path of the member, such as `intent.value` or `policy_data[0].wasm_args`, if known. */
  readonly member: string | undefined

  constructor(context: ErrorContext & { readonly member?: string | undefined } = {}) {
    const { member, ...rest } = context
    super(
      member === undefined
        ? 'The params are not valid.'
        : `The param ${bounded(member, 200)} is not valid.`,
      {
        ...rest,
        name: 'InvalidParamsError',
        code: 'INVALID_PARAMS',
        docs: 'service.md#4',
      },
    )
    this.member = member
  }
}

/** Options of this package that cannot work; nothing was sent. */
export class InvalidOptionsError extends ClientError {
  constructor(message: string, hint: string, context: ErrorContext = {}) {
    super(message, { ...context, name: 'InvalidOptionsError', code: 'INVALID_OPTIONS', hint })
  }
}

/** The gateway has no such method (section 7.1): usually another brand. */
export class MethodNotFoundError extends ClientError {
  constructor(method: string, context: ErrorContext = {}) {
    super(`The gateway has no method ${method}.`, {
      ...context,
      name: 'MethodNotFoundError',
      code: 'METHOD_NOT_FOUND',
      hint: "Check the option brand: it is the prefix of the gateway's methods.",
      docs: 'decisions.md#E13',
    })
  }
}
