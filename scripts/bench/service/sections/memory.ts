import type { ServiceBench } from '../bench.ts'
import { startGatewayProcess } from '../gatewayProcess.ts'
import { memoryOverTasks } from '../memory.ts'

export async function memory({ say, quick }: ServiceBench) {
  const count = quick ? 200 : 10_000
  say(`resident memory of a whole stack in one process over ${count} tasks`)
  const gateway = await startGatewayProcess()
  try {
    const rows = await memoryOverTasks(gateway, count)
    for (const { tasks: done, residentMiB } of rows)
      say(
        `  after ${String(done).padStart(6)} tasks  ${residentMiB?.toFixed(0) ?? 'unavailable'} MiB`,
      )
    return rows
  } finally {
    await gateway.close()
  }
}
