import {
  compileUntrustedSchema,
  parseUntrustedSchema,
} from 'polgate-service/envelopes/untrustedSchema.ts'
import { CommandError } from '../commandDefinition.ts'
import { jsonPlace } from './jsonPlace.ts'
import type { PolicyPackage } from './policyPackage.ts'
import { packageArguments, sharedArguments } from './resolvedCase.ts'

/** Something in a package that fails its tests and keeps it from being published. */
export type PackageProblem = {
  /** With its place in a file. */
  readonly message: string
  readonly hint: string
}

/** The problems of a package. @throws CommandError for a schema that cannot be used */
export const packageProblems = (given: PolicyPackage): readonly PackageProblem[] =>
  [paramsProblem(given), argumentsProblem(given)].filter((each) => each !== undefined)

/** The service refuses every task of a policy whose parameters do not fit (decision R8). */
function paramsProblem({ params, paramsSchema }: PolicyPackage): PackageProblem | undefined {
  if (paramsSchema === undefined) return undefined
  try {
    const schema = parseUntrustedSchema(paramsSchema.text)
    const errorsOf = compileUntrustedSchema(schema, { formats: true, allErrors: false })
    const [first] = errorsOf(JSON.parse(params?.text ?? '{}')) ?? []
    if (first === undefined) return undefined
    const place = params === undefined ? 'the empty params' : jsonPlace(params, first.instancePath)
    return {
      message: `${place} does not fit its schema: ${first.instancePath || 'the document'} ${first.message}`,
      hint: `The schema is ${paramsSchema.path}.`,
    }
  } catch (cause) {
    throw new CommandError(`${paramsSchema.path}: ${(cause as Error).message}`, { cause })
  }
}

function argumentsProblem({ oracles, placeOf }: PolicyPackage): PackageProblem | undefined {
  try {
    sharedArguments(packageArguments(oracles))
    return undefined
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { message: `${placeOf('oracles')} ${error.message}`, hint: error.hint ?? '' }
  }
}
