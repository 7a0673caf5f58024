import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGatewayProcess } from '../../service/gatewayProcess.ts'
import { memoryOverTasks } from '../../service/memory.ts'
import type { Dimension } from '../dimension.ts'

export const memory: Dimension = {
  title: 'resident memory of a stack in one process by tasks done, with a database on disk',
  async measure({ tasks }) {
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'))
    const gateway = await startGatewayProcess({ dataDir })
    try {
      const rows = await memoryOverTasks(gateway, tasks)
      // Compiled code and caches are complete after the first quarter.
      const points = rows.flatMap(({ tasks: size, residentMiB }) =>
        residentMiB === undefined || size < tasks / 4 ? [] : [{ size, cost: residentMiB }],
      )
      if (points.length === 0) return 'the system does not tell the memory of a process'
      return [{ what: 'resident memory', unit: 'MiB', points, bound: { factor: 1.1 } }]
    } finally {
      await gateway.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}
