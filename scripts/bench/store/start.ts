import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openStore } from 'polgate-service/store/openStore.ts'
import { clusterSettings } from 'polgate-service/store/preparedCluster.ts'
import { migrations } from 'polgate-service/store/schema.ts'

/** Opens a store once, in a separate process, and prints the duration in milliseconds. */
const [kind = '', directory] = process.argv.slice(2)
const dataDir = directory ?? (await mkdtemp(join(tmpdir(), 'svc-bench-')))
const cpu = process.cpuUsage()
const begin = performance.now()
const close = await open()
const ms = performance.now() - begin
const { user, system } = process.cpuUsage(cpu)
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }))
await close()
if (directory === undefined) await rm(dataDir, { recursive: true, force: true })

async function open(): Promise<() => Promise<void>> {
  if (kind === 'memory') return (await openStore()).close
  if (kind === 'directory') return (await openStore({ dataDir })).close
  // Without a prepared directory: PostgreSQL creates the cluster, the migrations the tables.
  const lite = await PGlite.create({ dataDir: join(dataDir, 'cluster'), ...clusterSettings })
  for (const { sql } of migrations) await lite.exec(sql)
  return () => lite.close()
}
