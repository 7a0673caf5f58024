import type { TaskService } from 'polgate-service/tasks/taskService.ts'
import { expect, test } from 'vitest'
import { createLatestTasks } from './latestTasks.ts'

const client = (at: number) => `0xAB${at.toString(16).padStart(38, '0')}` as const
const taskId = (at: number) => `0x${at.toString(16).padStart(64, '0')}` as const

/** A service whose answers have this id. */
function service(id: `0x${string}` | undefined): TaskService {
  const answer = async () => ({ task_id: id })
  return { createTask: answer, sendTask: answer } as unknown as TaskService
}
const intent = (value: string) => ({ value }) as never
const caller = {} as never

test('the latest task of each client, by either method and in any case of letters', async () => {
  const latest = createLatestTasks()
  const ask = { policy_client: client(1), intent: intent('0x1') }
  expect(latest.of(client(1))).toBeUndefined()
  await latest.around(service(taskId(1))).createTask(ask, caller)
  await latest
    .around(service(taskId(2)))
    .sendTask(
      { ...ask, intent: intent('0x2'), intent_signature: '0x12', wasm_args: '0x34' },
      caller,
    )
  await latest.around(service(taskId(3))).createTask({ ...ask, policy_client: client(2) }, caller)
  expect(latest.of(client(1).toLowerCase())).toEqual({
    ...{ taskId: taskId(2), intent: { value: '0x2' } },
    ...{ intentSignature: '0x12', wasmArgs: '0x34' },
  })
  expect(latest.of(client(2))).toEqual({ taskId: taskId(3), intent: { value: '0x1' } })
})

test('what creates no task does not count', async () => {
  const latest = createLatestTasks()
  const ask = { policy_client: client(1), intent: intent('0x1') }
  await latest.around(service(undefined)).createTask(ask, caller)
  const failing = {
    createTask: () => Promise.reject(new Error('refused')),
  } as unknown as TaskService
  await expect(latest.around(failing).createTask(ask, caller)).rejects.toThrow('refused')
  expect(latest.of(client(1))).toBeUndefined()
})

test('of many clients the oldest are forgotten', async () => {
  const latest = createLatestTasks()
  const { createTask } = latest.around(service(taskId(1)))
  for (let at = 0; at <= 1_000; at += 1)
    await createTask({ policy_client: client(at), intent: intent('0x1') }, caller)
  expect(latest.of(client(0))).toBeUndefined()
  expect(latest.of(client(1))).toBeDefined()
})
