import type { FailureType } from 'polgate-protocol/notification.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { postingWithheld } from './postingWithheld.ts'
import { ProvocationError } from './provocationError.ts'

type Hex = `0x${string}`

/** Requests a path of a listener of the stack. @throws an error with the words of the stack */
export type StackCall = (path: string, init?: RequestInit) => Promise<Response>

/** A running stack, and its listeners. */
export type ProvokedStack = Pick<StackDescription, 'chain' | 'operators' | 'roles'> & {
  /** Its control listener. */
  readonly control: StackCall
  /** Its listener that injects faults; absent where operators are processes of their own. */
  readonly chaos?: StackCall | undefined
}

/** The task that fails. */
export type FailingTask = {
  readonly policyClient: Hex
  /** Seconds. */
  readonly timeout?: number | undefined
  readonly threshold?: number | undefined
}

export type Provocation = {
  /** What is done, for people. */
  readonly shown: string
  /**
   * A client, one whose oracle traps, a local stack of which something fails meanwhile, or one with operators in
   * its process.
   */
  readonly needs: 'client' | 'trapping' | 'stack' | 'inProcess'
  readonly task: (client: Hex, trapping: Hex | undefined) => FailingTask
  /** Runs the task while something of the stack fails; what it changed is undone, whatever happens. */
  readonly around?: (stack: ProvokedStack, task: () => Promise<void>) => Promise<void>
}

const plain = (policyClient: Hex): FailingTask => ({ policyClient })

/**
 * How each failure of section 6.3 is brought about on a running stack: by tasks that do fail, none by a message
 * that is made up.
 */
export const provocations: Readonly<Record<FailureType, Provocation>> = {
  timeout: {
    shown: 'a task with a timeout of one millisecond',
    needs: 'client',
    task: (policyClient) => ({ policyClient, timeout: 0.001 }),
  },
  policy_evaluation_failed: {
    shown: 'a task whose oracle traps',
    needs: 'trapping',
    task: (_, trapping) => ({ policyClient: trapping! }),
  },
  quorum_not_reached: {
    shown: 'a task that all stake must sign, while one operator is stopped',
    needs: 'stack',
    task: (policyClient) => ({ policyClient, threshold: 100 }),
    around: (stack, task) => withStopped(stack, [0], task),
  },
  channel_error: {
    shown: 'a task while all operators are stopped',
    needs: 'stack',
    task: plain,
    around: (stack, task) => withStopped(stack, [...stack.operators.keys()], task),
  },
  signature_verification_failed: {
    shown: 'a task while all operators sign with keys that are not registered',
    needs: 'inProcess',
    task: plain,
    around: withWrongKeys,
  },
  onchain_submission_failed: {
    shown: 'a task while the gateway may not post to the task manager',
    needs: 'stack',
    task: plain,
    around: postingWithheld,
  },
  internal_error: {
    shown: 'a task while the node of the chain answers calls with 503',
    needs: 'inProcess',
    task: plain,
    around: withoutNode,
  },
}

/** Why a failure cannot be brought about with this target; undefined if it can. */
export function obstacle(
  { needs }: Pick<Provocation, 'needs'>,
  stack: Pick<ProvokedStack, 'chaos'> | undefined,
  trapping: Hex | undefined,
): string | undefined {
  if (needs === 'client') return undefined
  if (needs === 'trapping')
    return trapping === undefined
      ? 'it needs a policy client whose oracle traps, by the name trapping-oracle in the target file'
      : undefined
  if (stack === undefined)
    return 'it makes a part of the service fail, which only a local stack allows: run `polgate start`'
  return needs === 'inProcess' && stack.chaos === undefined
    ? 'operators of this stack are processes of their own: start it without --operator-processes'
    : undefined
}

const post = ({ control }: ProvokedStack, path: string) => control(path, { method: 'POST' })

/** Undoes each change even if another one cannot be undone. */
async function undo(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failed = (await Promise.allSettled(steps.map((step) => step()))).find(
    ({ status }) => status === 'rejected',
  )
  if (failed?.status === 'rejected') throw failed.reason
}

async function withStopped(
  stack: ProvokedStack,
  operators: readonly number[],
  task: () => Promise<void>,
): Promise<void> {
  const found = (await (await stack.control('/operators')).json()) as {
    readonly index: number
    readonly running: boolean
  }[]
  // Those that the user has stopped stay stopped.
  const running = found.filter((each) => each.running && operators.includes(each.index))
  try {
    for (const { index } of running) await post(stack, `/operators/${index}/stop`)
    await task()
  } finally {
    await undo(
      running.map(
        ({ index }) =>
          () =>
            post(stack, `/operators/${index}/start`),
      ),
    )
  }
}

async function withWrongKeys(stack: ProvokedStack, task: () => Promise<void>): Promise<void> {
  const all = [...stack.operators.keys()]
  try {
    for (const at of all) await post(stack, `/operators/${at}/key/wrong`)
    await task()
  } finally {
    await undo(all.map((at) => () => post(stack, `/operators/${at}/key/own`)))
  }
}

async function withoutNode(stack: ProvokedStack, task: () => Promise<void>): Promise<void> {
  const { chaos } = stack
  if (chaos === undefined)
    throw new ProvocationError('the links of this stack cannot be made to fail')
  const link = (init: RequestInit) => chaos('/links/chain', init)
  const trouble = { kind: 'status', status: 503 }
  try {
    await link({
      method: 'PUT',
      body: JSON.stringify({ trouble, seed: 'trigger', only: ['eth_call'] }),
    })
    // At the blocks before, the gateway may have read the client.
    await post(stack, '/chain/mine')
    await task()
  } finally {
    await link({ method: 'DELETE' })
  }
}
