import { type LocalStackOptions, startLocalStack } from '../../impl/local/localStack.ts'
import { type PreparedTarget, targetOfStack } from './target.ts'

/** Boots the whole service on this machine; `close` ends every process of it. */
export const localTarget = async (
  options: Pick<LocalStackOptions, 'progress' | 'parts' | 'config'> = {},
): Promise<PreparedTarget> => {
  const stack = await startLocalStack({ ...options, secondNetwork: true })
  return {
    target: targetOfStack(stack.description, 'local'),
    close: () => stack.close(),
  }
}
