import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { overclaimingTarget } from 'polgate-self-test/nullTargets.ts'
import { describe, expect, test } from 'vitest'
import type { CheckFinished } from '../core/events.ts'
import { loadCheckThread } from './checkThread.ts'
import { type RunInThreadsOptions, runInThreads } from './runInThreads.ts'
import { checks } from './threads.fixture.ts'

const worker = new URL('./threads.worker.mjs', import.meta.url)

async function run(
  ids: readonly string[],
  options: Partial<RunInThreadsOptions> & { readonly name?: string } = {},
) {
  const results: CheckFinished[] = []
  const target = {
    ...overclaimingTarget('http://x.invalid'),
    ...(options.name && { name: options.name }),
  }
  const run = await runInThreads({
    checks: checks.filter(({ id }) => ids.includes(id)),
    input: { target, seed: '0x00000007', effort: 1, missing: {} },
    worker,
    workers: 1,
    concurrency: 1,
    bail: undefined,
    signal: new AbortController().signal,
    ...options,
    onResult: (result) => {
      results.push(result)
      options.onResult?.(result)
    },
  })
  return { ...run, results, ids: results.map(({ id }) => id) }
}

describe('checks in threads', () => {
  test('concurrently, then those that run alone', async () => {
    const { ids, errors, stopped } = await run(['test.alone', 'test.first', 'test.second'])
    expect(ids).toEqual(['test.first', 'test.second', 'test.alone'])
    expect({ errors, stopped }).toEqual({ errors: [], stopped: false })
  })

  test('one that proved nothing for lack of time runs once more, after the others and with new values', async () => {
    const { results, ids } = await run(['test.late-once', 'test.late', 'test.first', 'test.alone'])
    expect(ids).toEqual(['test.first', 'test.late-once', 'test.late', 'test.alone'])
    const [, passed, late] = results
    expect([passed?.verdict, late?.verdict]).toEqual(['passed', 'untestable'])
    const [drawn, told] = passed?.observations ?? []
    expect(drawn).toMatch(/^draws 0x/)
    expect(told).toMatch(
      /^run again, since at first the end of 0x\w+ is wrong, which proves nothing/,
    )
    expect(told).not.toContain(drawn?.slice('draws '.length))
    expect(late?.observations).toHaveLength(1)
  })

  test('in a thread that was started earlier', async () => {
    const { ids, errors } = await run(['test.first'], { loading: loadCheckThread(worker) })
    expect([ids, errors]).toEqual([['test.first'], []])
  })

  test('a thread that failed to load reports why', async () => {
    const loading = loadCheckThread(new URL('./there-is-none.mjs', import.meta.url))
    await new Promise((resolve) => loading.worker.once('exit', resolve))
    const { ids, errors, stopped } = await run(['test.first'], { loading })
    expect([ids, stopped]).toEqual([[], true])
    expect(errors).toEqual([expect.stringContaining('there-is-none')])
  })

  test('bail ends the run: checks that had not started do not report', async () => {
    const { ids, stopped } = await run(['test.fails', 'test.alone'], { bail: 1 })
    expect([ids, stopped]).toEqual([['test.fails'], true])
  })

  test('an interrupt aborts the checks in progress', async () => {
    const interrupt = new AbortController()
    const { ids, stopped, errors } = await run(['test.first', 'test.never-ends', 'test.alone'], {
      concurrency: 2,
      signal: interrupt.signal,
      onResult: () => interrupt.abort(),
    })
    expect([ids, stopped, errors]).toEqual([['test.first'], true, []])
  })

  test('a check that changes the target gets time to restore it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'threads-'))
    const path = join(directory, 'told')
    try {
      const interrupt = new AbortController()
      const running = run(['test.first', 'test.changes-back'], {
        name: path,
        signal: interrupt.signal,
      })
      const told = () => {
        try {
          return readFileSync(path, 'utf8')
        } catch {
          return ''
        }
      }
      await expect.poll(told).toContain('changed')
      interrupt.abort()
      expect((await running).ids).toEqual(['test.first', 'test.changes-back'])
      expect(told()).toBe('changed back')
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  test('a thread that ends takes its checks with it, and the suite is broken', async () => {
    const { ids, errors, stopped } = await run(['test.first', 'test.ends-thread', 'test.alone'])
    expect(ids).toEqual(['test.first'])
    expect([errors, stopped]).toEqual([['a thread of the suite ended with code 7'], true])
  })

  test('an unhandled rejection is reported, whatever the verdicts', async () => {
    const { ids, errors } = await run(['test.loses-error', 'test.alone'])
    expect(ids).toEqual(['test.loses-error', 'test.alone'])
    expect(errors).toEqual(['Error: nobody waited for this'])
  })

  test('a value that one thread guards and another receives is a leak in all of them', async () => {
    const { results } = await run(['test.guards', 'test.holds'], { workers: 2 })
    expect(results.map(({ id, verdict }) => [id, verdict]).toSorted()).toEqual([
      ['test.guards', 'passed'],
      ['test.holds', 'passed'],
    ])
  })
})
