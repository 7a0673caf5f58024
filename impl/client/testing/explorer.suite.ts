import type { LocalStack } from 'polgate-local/localStack.ts'
import { describe, expect, it } from 'vitest'
import { clientOf, explorerOf, newIntent, policyClientOf } from './stackClients.ts'

/** The seven paths, on an explorer. */
export function explorerSuite(stack: () => LocalStack): void {
  const place = () => stack().description.clients['allow-list']!
  const newTask = () =>
    clientOf(stack()).createTask({
      policy_client: policyClientOf(stack(), 'allow-list'),
      intent: newIntent(stack()),
    })

  const all = async <Row>(rows: AsyncIterable<Row>) => {
    const found: Row[] = []
    for await (const row of rows) found.push(row)
    return found
  }

  describe('the explorer', () => {
    it('shows tasks, policies and counts', async () => {
      const explorer = explorerOf(stack())
      const { task_id: taskId } = await newTask()
      const { policyAddress, policyId } = place()
      const task = await explorer.waitForExplorerTask({ taskId }, { pollingIntervalMs: 100 })
      expect(task).toMatchObject({
        id: taskId,
        network: 'testnet',
        policy_id: policyId.toLowerCase(),
      })
      expect((await explorer.listTasks({ size: 1 })).results).toHaveLength(1)
      expect(await explorer.getPolicy({ address: policyAddress })).toMatchObject({
        address: policyAddress.toLowerCase(),
      })
      const policies = await all(explorer.iteratePolicies({ size: 3 }))
      expect(policies.length).toBe((await explorer.listPolicies()).total)
      for (const list of [
        explorer.iterateTasksOfPolicyId({ policyId, size: 2 }),
        explorer.iterateTasksOfPolicyAddress({ policyAddress, size: 2 }),
      ])
        expect((await all(list)).map(({ id }) => id)).toContain(taskId)
      expect((await explorer.listTasksOfPolicyId({ policyId })).total).toBeGreaterThan(0)
      expect((await explorer.listTasksOfPolicyAddress({ policyAddress })).total).toBeGreaterThan(0)
      const stats = await explorer.getStats({
        taskWindowStart: new Date(0),
        taskWindowEnd: '2100-01-01',
      })
      expect(stats.total_policies).toBe(policies.length)
      expect(stats.total_tasks).toBeGreaterThan(0)
    })

    it('pages stably while tasks arrive', async () => {
      const explorer = explorerOf(stack())
      const before = (await all(explorer.iterateTasks())).map(({ id }) => id)
      expect(before.length).toBeGreaterThan(4)
      const found: string[] = []
      for await (const { id } of explorer.iterateTasks({ size: 2 })) {
        found.push(id)
        if (found.length > 2) continue
        const { task_id: taskId } = await newTask()
        await explorer.waitForExplorerTask({ taskId }, { pollingIntervalMs: 100 })
      }
      expect(new Set(found).size).toBe(found.length)
      for (const id of before) expect(found).toContain(id)
    })

    it('selects the network, and throws by cause', async () => {
      const explorer = explorerOf(stack(), { network: 'base' })
      const { policyAddress: address } = place()
      expect(await explorer.listTasks()).toMatchObject({ total: 0 })
      await expect(explorer.getPolicy({ address })).rejects.toMatchObject({
        code: 'POLICY_NOT_FOUND',
      })
      await expect(explorer.getPolicy({ address }, { network: 'testnet' })).resolves.toBeDefined()
      const taskId = `0x${'00'.repeat(32)}` as const
      await expect(explorer.getTask({ taskId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(explorer.listTasks({ size: 101 })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        member: 'size',
      })
      await expect(explorer.getStats({ taskWindowStart: 'soon' })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        member: 'task_window_start',
      })
      await expect(explorer.listTasks({}, { network: 'moon' as never })).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      })
      const { expired, write } = stack().description.apiKeys
      await expect(explorerOf(stack(), { key: expired }).listTasks()).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      })
      await expect(explorerOf(stack(), { key: write }).listTasks()).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
    })
  })
}
