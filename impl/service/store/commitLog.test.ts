import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { CommitLog } from './commitLog.ts'
import { SyncCounters } from './syncCounters.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

function openLog(quickMs?: number) {
  const home = mkdtempSync(join(tmpdir(), 'svc-log-'))
  cleanup.defer(() => rmSync(home, { recursive: true, force: true }))
  const counters = new SyncCounters()
  const log = new CommitLog(counters, quickMs)
  cleanup.defer(() => log.close())
  const segment = (name: string) => {
    writeFileSync(join(home, name), 'log')
    return join(home, name)
  }
  return { log, segment, syncs: () => counters.read().syncs }
}

describe('the log of commits', () => {
  it('of a quick disk is synced once for all that were written when this thread has nothing else to do', async () => {
    const { log, segment, syncs } = openLog(Number.POSITIVE_INFINITY)
    const path = segment('1')
    for (let n = 1; n <= 3; n++) {
      log.writing(path)
      const waiting = [log.durable()]
      log.writing(path)
      await Promise.all([...waiting, log.durable()])
      expect(syncs()).toBe(n)
    }
  })

  it('of a slow disk is synced once for all that wait, and again for what was written meanwhile', async () => {
    const { log, segment, syncs } = openLog(0)
    const path = segment('1')
    log.writing(path)
    const first = [log.durable(), log.durable()]
    log.writing(path)
    const second = [log.durable(), log.durable(), log.durable()]
    await Promise.all(first)
    expect(syncs()).toBe(1)
    await Promise.all(second)
    expect(syncs()).toBe(2)
    await log.durable()
    expect(syncs()).toBe(2)
  })

  it('is synced before its next segment is written', () => {
    const { log, segment, syncs } = openLog()
    log.writing(segment('1'))
    log.writing(segment('2'))
    expect(syncs()).toBe(1)
    log.syncNow()
    log.syncNow()
    expect(syncs()).toBe(2)
  })

  // A device that no system syncs.
  it.runIf(process.platform === 'linux')('acknowledges nothing after a failed sync', async () => {
    const { log, segment } = openLog()
    log.writing('/dev/full')
    await expect(log.durable()).rejects.toThrow('EINVAL')
    expect(log.failure).toBeDefined()
    expect(() => log.writing(segment('1'))).toThrow('EINVAL')
    await expect(log.durable()).rejects.toThrow('EINVAL')
  })
})
