import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from './database.ts'
import type { SyncTotals } from './syncCounters.ts'

type Reported = Pick<Database, 'durability' | 'syncs'>

/** What survives a crash of the machine, and what the embedded engine does for it. */
export function registerDatabaseMetrics(registry: Registry, { durability, syncs }: Reported): void {
  const registers = [registry]
  new Gauge({
    name: 'database_durability',
    help: '1. The label says what survives: durable, a power cut; relaxed, the end of the process; memory, nothing.',
    labelNames: ['mode'],
    registers,
  }).set({ mode: durability.mode }, 1)
  if (syncs === undefined) return
  const counter = (name: string, help: string, of: (totals: SyncTotals) => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(of(syncs()))
      },
    })
  counter('database_syncs_total', 'Syncs of the embedded database.', (totals) => totals.syncs)
  counter(
    'database_sync_seconds_total',
    'Time of the syncs of the embedded database.',
    (totals) => totals.ms / 1000,
  )
}
