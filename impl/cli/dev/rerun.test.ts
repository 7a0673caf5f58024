import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { expect, test } from 'vitest'
import { createRerun, type RunFacts, type Timers } from './rerun.ts'

/** A clock that moves only when told, and its timers. */
function manualTimers() {
  let now = 0
  let next = 0
  const timers = new Map<number, { readonly at: number; readonly work: () => void }>()
  const set: Timers['set'] = (work, ms) => {
    next += 1
    timers.set(next, { at: now + ms, work })
    return next
  }
  return {
    timers: { now: () => now, set, clear: (id: unknown) => void timers.delete(id as number) },
    /** Moves the clock, and lets everything that is due, and what it starts, happen. */
    async pass(ms: number) {
      const end = now + ms
      for (;;) {
        await settled()
        const due = [...timers].sort((a, b) => a[1].at - b[1].at)[0]
        if (due === undefined || due[1].at > end) break
        timers.delete(due[0])
        now = due[1].at
        due[1].work()
      }
      now = end
      await settled()
    },
  }
}

/** Everything that is not waiting for a timer has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve()
}

type Run = {
  readonly files: readonly string[]
  /** As they were when it began. */
  readonly read: ReadonlyMap<string, string>
  readonly since: number
  state: 'running' | 'done' | 'failed' | 'aborted'
}

/** A folder in memory, whose runs take a given time. */
function folder(runMs: number, outcome: (run: Run) => boolean = () => true, heedsAbort = true) {
  const clock = manualTimers()
  const files = new Map<string, string>()
  const runs: Run[] = []
  const errors: unknown[] = []
  const rerun = createRerun({
    scan: async () => new Map(files),
    run(changed, { since, signal }: RunFacts) {
      const run: Run = { files: changed, read: new Map(files), since, state: 'running' }
      runs.push(run)
      expect(runs.filter(({ state }) => state === 'running')).toHaveLength(1)
      return new Promise((done, fail) => {
        const timer = clock.timers.set(() => {
          run.state = 'failed'
          try {
            const ended = outcome(run)
            if (ended) run.state = 'done'
            done(ended)
          } catch (error) {
            fail(error)
          }
        }, runMs)
        signal.addEventListener('abort', () => {
          if (run.state !== 'running' || !heedsAbort) return
          run.state = 'aborted'
          clock.timers.clear(timer)
          fail(signal.reason)
        })
      })
    },
    failed: (error) => errors.push(error),
    ...{ settleMs: 60, mostMs: 500, timers: clock.timers },
  })
  const save = (name: string, content: string) => {
    files.set(name, content)
    rerun.touch()
  }
  return { ...clock, files, runs, errors, rerun, save }
}

test('saves in quick succession make one run with all files', async () => {
  const { save, pass, runs } = folder(10)
  for (const name of ['a', 'b', 'a']) {
    save(name, `${name} ${Math.random()}`)
    await pass(50)
  }
  expect(runs).toEqual([])
  await pass(200)
  expect(runs).toMatchObject([{ files: ['a', 'b'], since: 0, state: 'done' }])
})

test('saves that do not end are read after a while', async () => {
  const { save, pass, runs } = folder(10)
  for (let at = 0; at < 12; at += 1) {
    save('a', String(at))
    await pass(45)
  }
  expect(runs[0]).toMatchObject({ files: ['a'], state: 'done' })
  await pass(1_000)
  expect(runs.at(-1)?.read.get('a')).toBe('11')
})

test('an event without another content, and one of a file that was written back, make no run', async () => {
  const { save, pass, runs, rerun } = folder(10)
  save('a', '1')
  await pass(1_000)
  save('a', '1')
  await pass(1_000)
  save('a', '2')
  save('a', '1')
  await pass(1_000)
  rerun.touch()
  await pass(1_000)
  expect(runs).toHaveLength(1)
})

test('a save during a run restarts it with the files of both', async () => {
  const { save, pass, runs } = folder(1_000)
  save('a', '1')
  await pass(500)
  save('b', '1')
  await pass(5_000)
  expect(runs).toMatchObject([
    { files: ['a'], state: 'aborted' },
    { files: ['a', 'b'], since: 0, state: 'done' },
  ])
})

test('a file that is written back during a run is run again: the run may have got far', async () => {
  const { save, pass, runs } = folder(1_000)
  save('a', '1')
  await pass(2_000)
  save('a', '2')
  await pass(500)
  save('a', '1')
  await pass(5_000)
  expect(runs.map(({ state }) => state)).toEqual(['done', 'aborted', 'done'])
  expect(runs.at(-1)).toMatchObject({ files: ['a'] })
})

test('a run that ends well although it was aborted has not read what changed meanwhile', async () => {
  const { save, pass, runs } = folder(1_000, () => true, false)
  save('a', '1')
  await pass(500)
  save('a', '2')
  await pass(5_000)
  expect(runs.map(({ files, read }) => [files, read.get('a')])).toEqual([
    [['a'], '1'],
    [['a'], '2'],
  ])
})

test('a removed file is a change, and a renamed one is two', async () => {
  const { save, pass, runs, files, rerun } = folder(10)
  save('a', '1')
  save('b', '1')
  await pass(1_000)
  files.delete('a')
  files.delete('b')
  save('c', '1')
  await pass(1_000)
  expect(runs.at(-1)?.files).toEqual(['a', 'b', 'c'])
  await rerun.close()
})

test('a change whose event was lost is noticed at the end of the run', async () => {
  const { save, pass, runs, files } = folder(1_000)
  save('a', '1')
  await pass(500)
  files.set('b', '1')
  await pass(5_000)
  expect(runs.map((run) => run.files)).toEqual([['a'], ['b']])
})

test('files of a run that was not done are in the next one', async () => {
  const { save, pass, runs } = folder(10, (run) => run.read.get('a') !== 'broken')
  save('a', 'broken')
  await pass(1_000)
  save('b', '1')
  await pass(1_000)
  save('a', 'good')
  await pass(1_000)
  expect(runs.map(({ files, state }) => [files, state])).toEqual([
    [['a'], 'failed'],
    [['a', 'b'], 'failed'],
    [['a', 'b'], 'done'],
  ])
})

test('after close nothing runs, and a run has ended', async () => {
  const { save, pass, runs, rerun } = folder(1_000)
  save('a', '1')
  await pass(500)
  const closing = rerun.close()
  await settled()
  await closing
  save('b', '1')
  await pass(5_000)
  expect(runs.map(({ state }) => state)).toEqual(['aborted'])
})

test('an error of a run is reported, and the next run has its files', async () => {
  const { save, pass, runs, errors } = folder(10, ({ read }) => {
    if (read.get('a') === 'bad') throw new Error('bad')
    return true
  })
  save('a', 'bad')
  await pass(1_000)
  expect(errors).toEqual([new Error('bad')])
  save('b', '1')
  save('a', 'good')
  await pass(1_000)
  expect(runs.at(-1)).toMatchObject({ files: ['a', 'b'], state: 'done' })
})

const steps = fc.array(
  fc.record({
    file: fc.constantFrom('a', 'b', 'c'),
    content: fc.constantFrom('1', '2', undefined),
    seen: fc.boolean(),
    ms: fc.integer({ min: 0, max: 400 }),
  }),
  { maxLength: 30 },
)

property([steps, fc.integer({ min: 1, max: 300 })], { numRuns: 60 })(
  'after saves at any times the last run is done, and has read the last contents',
  async (saves, runMs) => {
    const { files, rerun, pass, runs, errors } = folder(runMs)
    for (const { file, content, seen, ms } of saves) {
      if (content === undefined) files.delete(file)
      else files.set(file, content)
      if (seen) rerun.touch()
      await pass(ms)
    }
    rerun.touch()
    await pass(5_000)
    expect(errors).toEqual([])
    const last = runs.at(-1)
    if (last === undefined) expect([...files]).toEqual([])
    else expect([last.state, last.read]).toEqual(['done', files])
    // A run has the files of the one before it, if that was not done.
    for (const [at, run] of runs.entries())
      if (run.state !== 'done')
        expect(runs[at + 1]?.files).toEqual(expect.arrayContaining([...run.files]))
    await rerun.close()
  },
)
