import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { runAround } from './runAround.ts'
import { startProcess } from './testing/runProcess.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'around-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A process that has ended and that nobody has waited for has no command line. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']

test.concurrent('stdout of start --exec has the bytes of the command and no others', async ({
  expect,
}) => {
  const bytes = 200_000
  writeFileSync(
    join(directory, 'client.mjs'),
    `const { SVC_GATEWAY_URL, SVC_ADMIN_URL } = process.env
const ready = await fetch(SVC_ADMIN_URL + '/readyz')
const rpc = await fetch(SVC_GATEWAY_URL + '/rpc', { method: 'POST', body: '{}' })
process.stdout.write('b'.repeat(${bytes}))
process.exitCode = ready.status === 200 && rpc.status < 500 ? 7 : 8
`,
  )
  const command = `'${process.execPath}' client.mjs`
  const { ended } = startProcess(['start', ...ports, '--exec', command], { cwd: directory })
  const { code, stdout, stderr } = await ended
  expect({ code, same: stdout === 'b'.repeat(bytes) }).toEqual({ code: 7, same: true })
  expect(stderr).toContain('gateway')
  expect(stderr).toContain('/readyz')
}, 240_000)

test.runIf(process.platform === 'linux').for(['SIGTERM', 'SIGINT'] as const)(
  '%s reaches what the command has started, whose exit code is that of polgate',
  { concurrent: true, timeout: 240_000 },
  async (signal, { expect }) => {
    writeFileSync(
      join(directory, 'trap.mjs'),
      `for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => { console.log('got ' + name); process.exit(9) })
console.log('waiting ' + process.pid)
setInterval(() => {}, 1_000)
`,
    )
    // More than one command, so that the shell stays between.
    const command = `true; '${process.execPath}' trap.mjs; exit $?`
    const { child, ended } = startProcess(['start', ...ports, '--json', '--exec', command], {
      cwd: directory,
    })
    let said = ''
    await new Promise<void>((done) =>
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk
        if (said.includes('waiting')) done()
      }),
    )
    child.kill(signal)
    const { stdout } = await ended
    expect(stdout).toMatch(new RegExp(`^waiting \\d+\\ngot ${signal}\\n$`))
    const pid = Number(/waiting (\d+)/.exec(stdout)?.[1])
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false)
  },
)

test.runIf(process.platform === 'linux').concurrent(
  'what outlives its shell and ignores signals is killed before the command counts as ended',
  async ({ expect }) => {
    writeFileSync(
      join(directory, 'deaf.mjs'),
      `import { renameSync, writeFileSync } from 'node:fs'
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {})
writeFileSync('deaf.draft', String(process.pid))
renameSync('deaf.draft', 'deaf.pid')
setInterval(() => {}, 1_000)
`,
    )
    const noted = join(directory, 'deaf.pid')
    let send!: (signal: NodeJS.Signals) => void
    const ending = new Promise<NodeJS.Signals>((resolve) => {
      send = resolve
    })
    // The shell itself ends on the signal.
    const command = `cd '${directory}'; '${process.execPath}' deaf.mjs; exit $?`
    const endMs = 500
    const ended = runAround({ command, env: {}, ending, endMs })
    await expect.poll(() => existsSync(noted), { timeout: 60_000 }).toBe(true)
    const pid = Number(readFileSync(noted, 'utf8'))
    try {
      const sent = performance.now()
      send('SIGTERM')
      expect(await ended).toBe(143)
      expect(performance.now() - sent).toBeGreaterThan(endMs * 0.9)
      // Its end may still be under way.
      await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false)
    } finally {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    }
  },
  240_000,
)

test.runIf(process.platform === 'linux').concurrent(
  'what outlives its shell and ignores signals is killed before polgate ends',
  async ({ expect }) => {
    writeFileSync(
      join(directory, 'deafer.mjs'),
      `for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {})
console.log('waiting ' + process.pid)
setInterval(() => {}, 1_000)
`,
    )
    // The shell itself ends on the signal.
    const command = `true; '${process.execPath}' deafer.mjs; exit $?`
    const { child } = startProcess(['start', ...ports, '--json', '--exec', command], {
      cwd: directory,
    })
    let said = ''
    const pid = await new Promise<number>((done) =>
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk
        const found = /waiting (\d+)\n/.exec(said)
        if (found) done(Number(found[1]))
      }),
    )
    try {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      // Its end may still be under way.
      await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false)
    } finally {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    }
  },
  240_000,
)
