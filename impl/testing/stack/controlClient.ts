import type { ControlCalls, StackConnection } from './controlWire.ts'
import { TestingError } from './testingError.ts'

/** Calls the testing listener of a stack. */
export type ControlClient = <Path extends keyof ControlCalls>(
  path: Path,
  body: ControlCalls[Path]['body'],
) => Promise<ControlCalls[Path]['answer']>

/**
 * @param ended what happened to the process of the stack, where that is known
 * @throws TestingError `stack` with what the stack says, `ended` where it does not answer
 */
export function createControlClient(
  { testingUrl, token }: Pick<StackConnection, 'testingUrl' | 'token'>,
  ended: () => string | undefined = () => undefined,
): ControlClient {
  return async (path, body) => {
    const response = await fetch(testingUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    }).catch((cause: unknown) => {
      throw new TestingError(`The stack does not answer: ${ended() ?? (cause as Error).message}`, {
        code: 'ended',
        hint: 'Start another stack; it may have been closed already.',
        cause,
      })
    })
    const answer = (await response.json()) as { error?: string; hint?: string }
    if (response.ok) return answer as never
    throw new TestingError(`The stack cannot ${verbs[path]}: ${answer.error ?? response.status}`, {
      code: 'stack',
      hint: answer.hint ?? 'Pass log: console.error to startStack to see its log.',
    })
  }
}

const verbs: Readonly<Record<keyof ControlCalls, string>> = {
  '/snapshot': 'take a snapshot',
  '/restore': 'restore the snapshot',
  '/drop': 'drop the snapshot',
  '/time': 'tell its time',
  '/advance': 'advance its clock',
  '/mock': 'mock the host',
  '/refused': 'tell what it refused',
  '/task': 'look up the task',
  '/policy': 'deploy the policy',
}
