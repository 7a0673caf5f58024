import { checkModules } from '../check/checkModules.ts'
import type { Location, RegoErrorCode } from '../errors.ts'
import { type CompileOptions, helped, knownBuiltins } from './compile.ts'
import type { Sources } from './policy.ts'

export type { Location, RegoErrorCode } from '../errors.ts'
export type { Sources } from './policy.ts'

export type CheckOptions = Pick<CompileOptions, 'builtins' | 'capabilities' | 'dialect'> & {
  /** How many errors to find at most; 10 by default. */
  readonly maxErrors?: number
}

/** An error that the compiler finds. Rows and columns begin at 1. */
export type FoundError = {
  readonly code: RegoErrorCode
  readonly message: string
  readonly location?: Location
  /** Behind the last character of what the error is about, where known. */
  readonly end?: { readonly row: number; readonly col: number }
}

export type CheckReport = {
  /** By stage: syntax, then everything else that the compiler refuses, then types; empty if valid. */
  readonly errors: readonly FoundError[]
  /** Whether there may be more than `maxErrors`. */
  readonly isCut: boolean
}

/** Searches modules for all errors, where `compile` throws the first. */
export function check(sources: Sources, options: CheckOptions = {}): CheckReport {
  const { dialect, maxErrors } = options
  const { known, allowed } = knownBuiltins(options)
  const { errors, isCut } = checkModules({
    modules: Object.entries(sources).map(([name, source]) => ({ name, source })),
    builtins: allowed,
    ...(dialect === undefined ? {} : { dialect }),
    ...(maxErrors === undefined ? {} : { maxErrors }),
  })
  return {
    errors: errors.map(({ error, end }) => ({
      code: error.code,
      message: (helped(error, known) as Error).message,
      ...(error.location === undefined ? {} : { location: error.location }),
      ...(end === undefined ? {} : { end }),
    })),
    isCut,
  }
}
