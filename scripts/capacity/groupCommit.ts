import type { Simulation } from './simulation.ts'

/** A log on disk: all commits that arrive during a flush are made durable by the next one. */
export type GroupCommit = {
  commit(done: () => void): void
  readonly flushes: number
  readonly commits: number
}

export function createGroupCommit(simulation: Simulation, flushMs: number): GroupCommit {
  let waiting: (() => void)[] = []
  let flushing = false
  let flushes = 0
  let commits = 0

  function flush(): void {
    flushing = true
    flushes += 1
    const group = waiting
    waiting = []
    simulation.after(flushMs, () => {
      flushing = false
      for (const done of group) done()
      if (!flushing && waiting.length > 0) flush()
    })
  }
  return {
    commit(done) {
      commits += 1
      waiting.push(done)
      if (!flushing) flush()
    },
    get flushes() {
      return flushes
    },
    get commits() {
      return commits
    },
  }
}
