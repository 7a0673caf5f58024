import { resolve } from 'node:path'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { runningStacks } from 'polgate-local/stackRegistry.ts'
import { ContentError } from 'polgate-service/content/contentError.ts'
import { CommandError } from '../commandDefinition.ts'
import { findStack, findStackIfAny } from '../stack/findStack.ts'

/** Options shared by the content commands. */
export type ContentOptions = {
  readonly directory?: string
  readonly target?: string
  readonly json?: boolean
}

/**
 * The store given by `--directory`, else that of the running stack, found as other commands do; without one, the store
 * that local stacks of this machine share.
 *
 * @throws CommandError if several stacks with different stores run
 */
export async function directoryOf({ directory, target }: ContentOptions): Promise<string> {
  if (directory !== undefined && target !== undefined)
    throw new CommandError('--target has no effect with --directory', {
      hint: 'Leave out one of them: a stack has one store.',
    })
  if (directory !== undefined) return resolve(directory)
  if (target !== undefined)
    return (await findStack(target)).stack.contentDirectory ?? contentDirectory
  const [store, ...others] = new Set(
    (await runningStacks()).map(({ stack }) => stack.contentDirectory ?? contentDirectory),
  )
  if (others.length === 0 && store !== undefined) return store
  return (await findStackIfAny())?.stack.contentDirectory ?? contentDirectory
}

/** Maps an error of the store to exit code 1 (content missing or altered) or 2 (could not run). */
export function asCommandError(error: unknown, about: string): unknown {
  if (!(error instanceof ContentError)) return error
  const exitCode = error.code === 'id' || error.code === 'storage' ? 2 : 1
  const message = error.code === 'storage' ? `${about}: ${error.message}` : error.message
  return new CommandError(message, { hint: error.hint, exitCode, cause: error })
}
