import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marked, markVariable } from './testing/markedProcesses.ts'
import { type Running, startProcess } from './testing/runProcess.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'interrupted-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A folder for one test: a stack describes itself in its folder. */
const ownDirectory = () => mkdtempSync(join(directory, 'run-'))

const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']

const start = (args: readonly string[], mark: string, cwd: string) =>
  startProcess(['-v', ...args], { cwd, env: { [markVariable]: mark } })

/** The command has begun: before, Node and its modules load, and a signal ends them as it does any process. */
const begun = (told: () => string) =>
  expect.poll(told, { timeout: 60_000, interval: 10 }).toContain('polgate: ')

/** The limit of the time from a signal to the end, of a process that the machine has time for. */
const endMs = 3_000
/** Time to start and end Node on an idle machine, milliseconds, generously. */
const usualNodeMs = 150

/** By how much longer than on an idle machine Node takes now. */
function slowness(): number {
  const begin = performance.now()
  spawnSync(process.execPath, ['--eval', '0'])
  return Math.max(1, (performance.now() - begin) / usualNodeMs)
}

/** How long each thread of a process has waited for a processor so far, milliseconds; none once it has ended. */
function queuedMs(pid: number): readonly (readonly [thread: string, ms: number])[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
      return [thread, Number(text.split(' ')[1]) / 1e6]
    })
  } catch {
    return []
  }
}

/**
 * Interrupts a process and waits for its end.
 *
 * @returns the time to its end, and the limit of it: on a busy machine as much longer as Node takes now, or as
 * its threads have waited for a processor, which may have been when Node did not
 */
async function interrupt({ child, ended }: Running, signal: NodeJS.Signals) {
  const pid = child.pid!
  const before = new Map(queuedMs(pid))
  const latest = new Map(before)
  const timer = setInterval(() => {
    for (const [thread, ms] of queuedMs(pid)) latest.set(thread, ms)
  }, 50)
  const sent = performance.now()
  child.kill(signal)
  const { code, stdout } = await ended
  const ms = performance.now() - sent
  clearInterval(timer)
  const waits = [...latest].map(([thread, total]) => total - (before.get(thread) ?? 0))
  const waited = waits.reduce((sum, each) => sum + each, 0)
  return { code, stdout, ms, limitMs: Math.max(endMs * slowness(), endMs + waited) }
}

const freshMark = () => `${process.pid}-${randomUUID()}`

/** A boot takes a second or two of an idle machine; the last times are beyond it on a fast one. */
const times = [60, 250, 500, 800, 1_200, 1_700, 2_400]
/** Of commands that boot as `start` does. */
const someTimes = [60, 400, 1_000, 2_000]
const commands = [
  { name: 'start', args: ['start', ...ports], at: times },
  {
    name: 'start --operator-processes',
    args: ['start', ...ports, '--operator-processes'],
    at: someTimes,
  },
  { name: 'start --data-dir', args: ['start', ...ports, '--data-dir', 'data'], at: someTimes },
  { name: 'certify', args: ['certify', '--report-dir', 'certified'], at: someTimes },
  {
    name: 'record',
    args: ['record', '--target', 'local', '--out', 'out.fixture', '--', 'sleep', '600'],
    at: someTimes,
  },
]

test.runIf(process.platform === 'linux').for(commands)(
  'a signal ends $name at any time of its boot within 3 s, and leaves nothing running',
  { timeout: 600_000 },
  async ({ args, at }) => {
    const cwd = ownDirectory()
    const stackFile = join(cwd, '.svc/stack.json')
    let interrupted = 0
    let ups = 0
    for (const [index, afterMs] of at.entries()) {
      const signal = index % 2 === 0 ? 'SIGINT' : 'SIGTERM'
      const mark = freshMark()
      const running = start(args, mark, cwd)
      const { told } = running
      await begun(told)
      await sleep(afterMs)
      const isUp = existsSync(stackFile)
      const { code, ms, limitMs } = await interrupt(running, signal)
      const context = `${signal} after ${afterMs} ms: ${told()}`
      expect([0, 130, 143], context).toContain(code)
      if (!isUp) {
        expect(ms, context).toBeLessThan(limitMs)
        expect(told(), context).toContain('stopping')
        interrupted += 1
      }
      await expect.poll(() => marked(mark), { timeout: 10_000, message: context }).toEqual([])
      expect(existsSync(stackFile)).toBe(false)
      // Later it would be interrupted in the same state: once with either signal.
      if (isUp) ups += 1
      if (ups === 2) break
    }
    expect(interrupted).toBeGreaterThan(1)
  },
)

test.runIf(process.platform === 'linux')(
  'a second Ctrl-C ends a boot at once',
  async () => {
    const mark = freshMark()
    const { child, ended, told } = start(['start', ...ports], mark, ownDirectory())
    await begun(told)
    await sleep(100)
    child.kill('SIGINT')
    await expect.poll(told).toContain('stopping')
    await sleep(250)
    child.kill('SIGINT')
    const { code } = await ended
    expect(code).toBe(130)
    await expect.poll(() => marked(mark), { timeout: 10_000 }).toEqual([])
  },
  600_000,
)

test.runIf(process.platform === 'linux')(
  'a signal in the middle of a run ends it with its partial results',
  async () => {
    const mark = freshMark()
    const cwd = ownDirectory()
    const running = start(['run', 'local', '--report-dir', 'out', '--report', 'json'], mark, cwd)
    const events = (): readonly { readonly type: string }[] => {
      const path = join(cwd, 'out/events.ndjson')
      if (!existsSync(path)) return []
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line))
    }
    const finished = () => events().filter(({ type }) => type === 'check-finished').length
    await expect.poll(finished, { timeout: 120_000, interval: 50 }).toBeGreaterThan(1)
    const { code, stdout, ms, limitMs } = await interrupt(running, 'SIGINT')
    expect(ms).toBeLessThan(limitMs)
    expect(code).toBe(130)
    expect(stdout).toContain('INCOMPLETE: the run was interrupted')
    expect(finished()).toBeGreaterThan(1)
    expect(events().at(-1)).toMatchObject({
      type: 'run-finished',
      interrupted: true,
      code: 130,
    })
    await expect.poll(() => marked(mark), { timeout: 10_000 }).toEqual([])
  },
  600_000,
)
