import type { TriggerList, TriggerRun } from 'polgate-protocol/control/webhooks.ts'
import { FailureType } from 'polgate-protocol/notification.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { devAccounts, devApiKeys } from '../devKeys.ts'
import { ProvocationError } from './provocationError.ts'
import { obstacle, type ProvokedStack, provocations, type StackCall } from './provocations.ts'
import {
  isUnexpected,
  notificationInOutbox,
  sendFailing,
  triggerFailure,
} from './triggerFailure.ts'

export type FailureTriggers = {
  /** Begins to make a task fail. @throws ProvocationError if that is impossible, or another one runs */
  start(type: FailureType, key: string): TriggerRun
  list(): TriggerList
  /** Resolves once nothing that was changed for a failure is left to be undone. */
  idle(): Promise<void>
}

type Hex = `0x${string}`

const types = FailureType.anyOf.map((each) => each.const)
const maxRuns = 100
/** On-chain failures follow after the answer; retries take a second, each attempt at most its timeout. */
const withinMs = 20_000

/** @param control requests the control listener of this stack */
export function createFailureTriggers(deps: {
  readonly description: () => StackDescription
  readonly control: StackCall
}): FailureTriggers {
  const runs: TriggerRun[] = []
  let running: Promise<void> | undefined

  const change = (id: number, to: Partial<TriggerRun>) => {
    const at = runs.findIndex((run) => run.id === id)
    if (at >= 0) runs[at] = { ...runs[at]!, ...to }
  }

  async function run(id: number, type: FailureType, key: string): Promise<void> {
    const description = deps.description()
    const { createIntent, createServiceClient } = await import('polgate-client/index.ts')
    const { gatewayUrl: url, brand, clients, chain } = description
    const client = createServiceClient({ url, brand, key })
    const sent = await triggerFailure(type, {
      stack: provoked(description, deps.control),
      policyClient: clients['allow-list']!.policyClient as Hex,
      trapping: trappingOf(description),
      send: (task) => {
        const { sender } = devAccounts
        const { chainId } = chain
        const intent = createIntent({ from: sender.address, to: task.policyClient, chainId })
        return sendFailing(client, intent, task)
      },
      notificationOf: (taskId, until) =>
        notificationInOutbox(deps.control, taskId, until, AbortSignal.timeout(withinMs)),
      onStage: (stage, taskId) => change(id, { stage, taskId: (taskId as Hex) ?? null }),
    })
    const { notification } = sent
    change(id, {
      notification:
        notification === undefined
          ? null
          : { ...notification, message: notification.message.slice(0, 1_000) },
      happened: notification?.type === type,
    })
  }

  return {
    start(type, key) {
      if (running !== undefined)
        throw new ProvocationError('another failure is being triggered', {
          hint: 'Wait until it has ended: what has to fail for it fails for every task meanwhile.',
        })
      const description = deps.description()
      const why = obstacle(
        provocations[type],
        provoked(description, deps.control),
        trappingOf(description),
      )
      if (why !== undefined)
        throw new ProvocationError(`${type} cannot be triggered here`, { hint: why })
      const id = (runs[0]?.id ?? 0) + 1
      const { shown } = provocations[type]
      const nothing = { taskId: null, notification: null, happened: null, error: null }
      const startedAt = new Date().toISOString()
      const begun: TriggerRun = { id, type, shown, stage: 'preparing', startedAt, ...nothing }
      runs.unshift(begun)
      runs.length = Math.min(runs.length, maxRuns)
      running = run(id, type, key)
        .catch((error: unknown) => {
          const text = error instanceof Error ? error.message : 'it failed'
          change(id, { error: text.slice(0, 500), happened: false })
        })
        .finally(() => {
          running = undefined
          change(id, { stage: 'ended' })
        })
      return begun
    },
    list() {
      const description = deps.description()
      const obstacles = types.flatMap((type) => {
        const stack = provoked(description, deps.control)
        const why = obstacle(provocations[type], stack, trappingOf(description))
        return why === undefined ? [] : [[type, why] as const]
      })
      return { runs: [...runs], obstacles: Object.fromEntries(obstacles) }
    },
    async idle() {
      await running
    },
  }
}

/** Whether a development key has this name. */
export const devKeyNamed = (name: string): string | undefined =>
  Object.hasOwn(devApiKeys, name) ? devApiKeys[name as keyof typeof devApiKeys].key : undefined

const trappingOf = ({ clients }: StackDescription): Hex | undefined =>
  clients['trapping-oracle']?.policyClient as Hex | undefined

function provoked(description: StackDescription, control: StackCall): ProvokedStack {
  const { chaosUrl } = description
  if (chaosUrl === undefined) return { ...description, control }
  return {
    ...description,
    control,
    chaos: (path, init) => called(fetch(`${chaosUrl}${path}`, init)),
  }
}

/** @throws ProvocationError unless the answer is a success */
export async function called(answer: Promise<Response> | Response): Promise<Response> {
  const response = await answer
  if (response.ok) return response
  const { error, hint } = (await response.json().catch(() => ({}))) as {
    error?: string
    hint?: string
  }
  throw new ProvocationError(error ?? `the stack answered ${response.status}`, { hint })
}
