import { BaseError, decodeErrorResult, type Hex, isHex } from 'viem'
import { customErrorsAbi } from './artifacts/abis.ts'

/** A custom error of any of the contracts; a call reverts with that of the innermost contract. */
export type CustomError = {
  readonly errorName: string
  readonly args: readonly unknown[]
}

/** The custom error in a viem error, if it is declared by a contract of this repository. */
export function decodeRevert(error: unknown): CustomError | undefined {
  const data = revertData(error)
  return data === undefined ? undefined : decodeCustomError(data)
}

/** The custom error in revert data, if it is declared by a contract of this repository. */
export function decodeCustomError(data: Hex): CustomError | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: customErrorsAbi, data })
    return { errorName, args: args ?? [] }
  } catch {
    return undefined
  }
}

/** `Name(arguments)`, for messages. */
export function describeError({ errorName, args }: CustomError): string {
  return `${errorName}(${args.map(String).join(', ')})`
}

/** The revert data of a call, from anywhere in a chain of causes. */
export function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined
  let found: Hex | undefined
  error.walk((cause) => {
    const data = (cause as { data?: unknown }).data
    const hex = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    if (isHex(hex) && hex.length >= 10) found = hex
    return found !== undefined
  })
  return found
}
