import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import { createPeerUpdates } from 'polgate-service/gateway/updates/peerUpdates.ts'
import { openServer } from 'polgate-service/store/server.ts'
import { startPostgres } from 'polgate-service/store/testing/postgresServer.ts'
import { createTaskUpdates } from 'polgate-service/tasks/taskUpdates.ts'

export type AcrossGateways = {
  /** Milliseconds from an update on one gateway to its arrival on the other. */
  readonly p50: number
  readonly p99: number
  readonly heard: number
  readonly sent: number
  /** CPU milliseconds of a task's updates, sender and receiver together. */
  readonly cpuPerTask: number
}

/** Updates of a task: received, in progress, and two responses of four operators each. */
const updatesPerTask = 10

/**
 * Updates between gateways over a real PostgreSQL, at this many tasks per second, each with ten
 * updates and an end.
 */
export async function acrossGateways(tasks: number, perSecond: number): Promise<AcrossGateways> {
  const server = await startPostgres()
  const databases = await Promise.all([openServer(server.url), openServer(server.url)])
  const gateways = databases.map((database) => {
    const updates = createTaskUpdates((error) => {
      throw error
    })
    const openChannel = database.openChannel!
    return { updates, elsewhere: createPeerUpdates({ openChannel, updates, sender: randomUUID() }) }
  })
  const [worker, other] = gateways as [(typeof gateways)[0], (typeof gateways)[0]]
  try {
    const sentAt = new Map<string, number>()
    const latencies: number[] = []
    const hear = (name: string) => {
      latencies.push(performance.now() - sentAt.get(name)!)
    }
    other.elsewhere.listen({
      update: ({ task_id, data }) => hear(`${task_id} ${data.progress}`),
      stored: (id) => hear(`${id} end`),
      gap() {},
    })
    while (!gateways.every(({ elsewhere }) => elsewhere.isOpen())) await sleep(10)
    const before = process.cpuUsage()
    const begin = performance.now()
    for (let at = 0; at < tasks; at++) {
      const id: Bytes32 = `0x${at.toString(16).padStart(64, '0')}`
      for (let progress = 0; progress < updatesPerTask; progress++) {
        sentAt.set(`${id} ${progress}`, performance.now())
        worker.updates.publish(id, { kind: 'update', update: updateOf(id, progress) })
      }
      sentAt.set(`${id} end`, performance.now())
      worker.updates.publish(id, { kind: 'update', update: updateOf(id, 100, 'success') })
      const ahead = begin + ((at + 1) * 1_000) / perSecond - performance.now()
      if (ahead > 0) await sleep(ahead)
    }
    for (let tries = 0; latencies.length < sentAt.size && tries < 100; tries++) await sleep(20)
    const { user, system } = process.cpuUsage(before)
    latencies.sort((a, b) => a - b)
    const at = (share: number) =>
      latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN
    return {
      p50: at(0.5),
      p99: at(0.99),
      heard: latencies.length,
      sent: sentAt.size,
      cpuPerTask: (user + system) / 1_000 / tasks,
    }
  } finally {
    for (const { elsewhere } of gateways) await elsewhere.close()
    for (const database of databases) await database.close()
    await server.stop()
  }
}

const updateOf = (
  task_id: Bytes32,
  progress: number,
  event: TaskUpdate['event'] = 'operator_response',
): TaskUpdate => ({
  event,
  task_id,
  timestamp: 1,
  data: {
    status: 'processing',
    operator_responses: Array.from({ length: Math.min(8, progress) }, (_, at) => ({
      operator_address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      operator_id: `0x${at.toString(16).padStart(64, '0')}` as Bytes32,
      phase: 'data',
      success: true,
      error: null,
      timestamp: '2026-01-01T00:00:00.000Z',
    })),
    result: null,
    progress,
  },
})
