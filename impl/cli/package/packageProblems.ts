import { CommandError } from '../commandDefinition.ts'
import { jsonPlace } from './jsonPlace.ts'
import { placeholdersIn } from './placeholders.ts'
import type { PolicyPackage } from './policyPackage.ts'
import { packageArguments, sharedArguments } from './resolvedCase.ts'
import { schemaMisfit } from './schemaFit.ts'

/** Something in a package that fails its tests and keeps it from being published. */
export type PackageProblem = {
  /** With its place in a file. */
  readonly message: string
  readonly hint: string
}

/** The problems of a package. @throws CommandError for a schema that cannot be used */
export const packageProblems = async (given: PolicyPackage): Promise<readonly PackageProblem[]> =>
  [...unwritten(given), await paramsProblem(given), argumentsProblem(given)].filter(
    (each) => each !== undefined,
  )

/** Placeholders of an import. */
const unwritten = ({ params, oracles }: PolicyPackage): readonly PackageProblem[] =>
  [params, ...oracles.map(({ wasmArgs }) => wasmArgs)]
    .filter((file) => file !== undefined)
    .flatMap(placeholdersIn)
    .map((place) => ({
      message: `${place} is to be filled in`,
      hint: 'Write the value in place of {"fillIn": ...}.',
    }))

/** The service refuses every task of a policy whose parameters do not fit (decision R8). */
async function paramsProblem({
  params,
  paramsSchema,
}: PolicyPackage): Promise<PackageProblem | undefined> {
  if (paramsSchema === undefined) return undefined
  const misfit = await schemaMisfit(paramsSchema, params?.text ?? '{}')
  if (misfit === undefined) return undefined
  const place = params === undefined ? 'the empty params' : jsonPlace(params, misfit.at)
  return {
    message: `${place} does not fit its schema: ${misfit.at || 'the document'} ${misfit.message}`,
    hint: `The schema is ${paramsSchema.path}.`,
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
