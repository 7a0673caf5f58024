import { startLocalStack } from '../../impl/local/localStack.ts'
import { type PreparedTarget, targetOfStack } from './target.ts'

/** Boots the whole service on this machine; `close` ends every process of it. */
export const localTarget = async (progress?: (step: string) => void): Promise<PreparedTarget> => {
  const stack = await startLocalStack({ progress, secondNetwork: true })
  return {
    target: targetOfStack(stack.description, 'local'),
    close: () => stack.close(),
  }
}
