import { resolve } from 'node:path'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { ContentError } from 'polgate-service/content/contentError.ts'
import { CommandError } from '../verb.ts'

/** The options that all commands about contents share. */
export type ContentOptions = { readonly directory?: string; readonly json?: boolean }

/** The store that is meant: the one named, or that of the local stacks. */
export const directoryOf = ({ directory }: ContentOptions): string =>
  directory === undefined ? contentDirectory : resolve(directory)

/** An error of the store as one of the command: 1 where the answer is no, 2 where it could not run. */
export function asCommandError(error: unknown, about: string): unknown {
  if (!(error instanceof ContentError)) return error
  const exitCode = error.code === 'id' || error.code === 'storage' ? 2 : 1
  const message = error.code === 'storage' ? `${about}: ${error.message}` : error.message
  return new CommandError(message, { hint: error.hint, exitCode, cause: error })
}
