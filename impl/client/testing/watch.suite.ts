import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { describe, expect, it } from 'vitest'
import { clientOf, explorerOf, newIntent, policyClientOf } from './stackClients.ts'
import { startTcpProxy } from './tcpProxy.ts'

/** Tasks followed and awaited, on a gateway. */
export function watchSuite(stack: () => LocalStack): void {
  const params = (name = 'allow-list') => ({
    policy_client: policyClientOf(stack(), name),
    intent: newIntent(stack()),
  })

  describe('tasks', () => {
    it('are followed to their end, in progress or ended', async () => {
      const client = clientOf(stack(), 'read')
      const { task_id: taskId } = await client.sendTask(params())
      for (let time = 0; time < 2; time += 1) {
        const events = []
        for await (const event of client.watchTask({ taskId })) events.push(event)
        expect(events.at(-1)).toMatchObject({
          type: 'update',
          event: 'success',
          task_id: taskId,
          data: { progress: 100, result: { status: 'success', task_id: taskId } },
        })
      }
    })

    it('are followed to a failure and its notification', async () => {
      const client = clientOf(stack(), 'read')
      const { task_id: taskId } = await client.sendTask(params('trapping-oracle'))
      const types: string[] = []
      for await (const event of client.watchTask({ taskId }))
        types.push(event.type === 'update' ? event.event : event.failure_type)
      expect(types.slice(-2)).toEqual(['failure', 'policy_evaluation_failed'])
      await expect(client.waitForTask({ taskId })).rejects.toMatchObject({
        code: 'ORACLE_FAILED',
        taskId,
      })
    })

    it('are followed over a connection that breaks all the time', async () => {
      const proxy = await startTcpProxy(stack().description.gatewayUrl)
      const cutting = setInterval(() => proxy.cut(), 700)
      try {
        // Its oracle runs until it is ended, after some seconds.
        const { task_id: taskId } = await clientOf(stack(), 'read').sendTask(
          params('looping-oracle'),
        )
        const progress: number[] = []
        const ends: string[] = []
        for await (const event of clientOf(stack(), 'read', { url: proxy.url }).watchTask({
          taskId,
        }))
          if (event.type === 'notification') ends.push(event.failure_type)
          else {
            progress.push(event.data.progress)
            if (event.data.result !== null) ends.push(event.event)
          }
        expect(ends).toEqual(['failure', 'policy_evaluation_failed'])
        expect(progress).toEqual([...progress].sort((a, b) => a - b))
        expect(proxy.connections()).toBeGreaterThan(2)
      } finally {
        clearInterval(cutting)
        await proxy.close()
      }
    })

    it('are awaited by another process', async () => {
      const { gatewayUrl, apiKeys, brand } = stack().description
      const { task_id: taskId } = await clientOf(stack(), 'read').sendTask(params())
      const script = `
        import { createServiceClient } from './impl/client/index.ts'
        const [url, key, brand, taskId] = process.argv.slice(1)
        const client = createServiceClient({ url, key, brand: JSON.parse(brand) })
        console.log((await client.waitForTask({ taskId })).status)`
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '-e', script].concat(
          [gatewayUrl, apiKeys.read, JSON.stringify(brand)],
          taskId,
        ),
        { cwd: fileURLToPath(new URL('../../..', import.meta.url)) },
      )
      expect(stdout).toBe('success\n')
    })

    it('are followed over a connection that goes silent', async () => {
      const proxy = await startTcpProxy(stack().description.gatewayUrl)
      try {
        const client = clientOf(stack(), 'read', { url: proxy.url })
        const { task_id: taskId } = await clientOf(stack(), 'read').sendTask(params())
        proxy.silence(true)
        setTimeout(() => {
          proxy.silence(false)
          proxy.cut()
        }, 500)
        const waiting = client.waitForTask({ taskId }, { connectTimeoutMs: 300 })
        await expect(waiting).resolves.toMatchObject({ status: 'success' })
        expect(proxy.connections()).toBeGreaterThan(1)
      } finally {
        await proxy.close()
      }
    })

    it('are not found with another key, nor when unknown', async () => {
      const { task_id: taskId } = await clientOf(stack(), 'read').sendTask(params())
      for (const [key, id] of [
        ['rpc', taskId],
        ['read', `0x${'77'.repeat(32)}`],
      ] as const)
        await expect(clientOf(stack(), key).waitForTask({ taskId: id })).rejects.toMatchObject({
          code: 'TASK_NOT_FOUND',
        })
      await expect(clientOf(stack(), 'expired').waitForTask({ taskId })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      })
      await expect(clientOf(stack(), 'none').waitForTask({ taskId })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
    })

    it('run from request to result, and tell their id as soon as they exist', async () => {
      const ids: string[] = []
      const task = await clientOf(stack(), 'read').runTask(params(), {
        onTask: (id) => ids.push(id),
      })
      expect(ids).toEqual([task.task_id])
    })

    it('of a lost answer are looked up: in progress by their intent, else in the explorer', async () => {
      const client = clientOf(stack(), 'read')
      const proxy = await startTcpProxy(stack().description.gatewayUrl)
      try {
        const sent = params()
        proxy.silence(true)
        setTimeout(() => proxy.cut(), 1_500)
        const since = new Date(Date.now() - 60_000)
        const lost = clientOf(stack(), 'read', { url: proxy.url }).createTask(sent)
        await expect(lost).rejects.toMatchObject({
          code: 'TASK_STATE_UNKNOWN',
          cause: { code: 'NETWORK' },
        })
        const found: string[] = []
        await expect
          .poll(async () => {
            const { policy_client: policyClient, intent } = sent
            for await (const task of explorerOf(stack()).findTasks({ policyClient, intent, since }))
              found.push(task.id)
            return found.length
          })
          .toBeGreaterThan(0)
        const taskId = found[0] as `0x${string}`
        await expect(client.waitForTask({ taskId })).resolves.toMatchObject({ status: 'success' })
        await expect(explorerOf(stack()).waitForExplorerTask({ taskId })).resolves.toMatchObject({
          id: taskId,
        })
      } finally {
        await proxy.close()
      }
    })

    it('in progress are named by an error for the same intent', async () => {
      const client = clientOf(stack(), 'read')
      const sent = params('looping-oracle')
      const { task_id: taskId } = await client.sendTask(sent)
      const exists = { code: 'TASK_EXISTS', taskId }
      await expect(client.sendTask(sent)).rejects.toMatchObject(exists)
      await expect(client.createTask(sent)).rejects.toMatchObject(exists)
      const waiting = client.waitForTask({ taskId }, { timeoutMs: 50 })
      await expect(waiting).rejects.toMatchObject({ code: 'WAIT_TIMEOUT', taskId })
    })
  })
}
