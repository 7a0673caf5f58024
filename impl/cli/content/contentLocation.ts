import { resolve } from 'node:path'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { ContentError } from 'polgate-service/content/contentError.ts'
import { CommandError } from '../commandDefinition.ts'

/** Options shared by the content commands. */
export type ContentOptions = { readonly directory?: string; readonly json?: boolean }

/** The store given by `--directory`, or the store of local stacks. */
export const directoryOf = ({ directory }: ContentOptions): string =>
  directory === undefined ? contentDirectory : resolve(directory)

/** Maps an error of the store to exit code 1 (content missing or altered) or 2 (could not run). */
export function asCommandError(error: unknown, about: string): unknown {
  if (!(error instanceof ContentError)) return error
  const exitCode = error.code === 'id' || error.code === 'storage' ? 2 : 1
  const message = error.code === 'storage' ? `${about}: ${error.message}` : error.message
  return new CommandError(message, { hint: error.hint, exitCode, cause: error })
}
