import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runMain } from './testing/runMain.ts'

test('a command leaves no listener behind', async () => {
  const counts = () => [
    ...['error', 'drain', 'close', 'finish'].flatMap((name) => [
      process.stdout.listenerCount(name),
      process.stderr.listenerCount(name),
    ]),
    ...['SIGINT', 'SIGTERM', 'exit', 'warning'].map((name) => process.listenerCount(name)),
  ]
  await runMain('policy-data', 'simulate', '--help')
  const before = counts()
  for (let run = 0; run < 12; run += 1) {
    await runMain('policy-data', 'simulate', '--help')
    await runMain('policy', 'simulate', '--unknown')
  }
  expect(counts()).toEqual(before)
})

test('a closed pipe ends the command without an error', async () => {
  const svc = fileURLToPath(new URL('./polgate.mjs', import.meta.url))
  const child = spawn(process.execPath, [svc, 'list'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  child.stdout.destroy()
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

describe('commands that write without a stream', () => {
  const launcher = fileURLToPath(new URL('./polgate.mjs', import.meta.url))
  const args = [launcher, 'regorus', 'eval', '--format', 'pretty', 'numbers.range(1, 50000)']

  test('a closed pipe is no error', () => {
    const pipeline = `"$@" | head -c 10; exit "\${PIPESTATUS[0]}"`
    const words = ['-c', pipeline, 'bash', process.execPath, ...args]
    const { status, stdout, stderr } = spawnSync('bash', words, { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '[\n  1,\n  2', stderr: '' })
  })

  test.runIf(existsSync('/dev/full'))('a full disk is one', () => {
    const words = ['-c', '"$@" >/dev/full', 'bash', process.execPath, ...args]
    const { status, stderr } = spawnSync('bash', words, { encoding: 'utf8' })
    expect(stderr).toMatch(/^error: cannot write to standard output: ENOSPC.*\n$/)
    expect(status).toBe(2)
  })

  test('a slow reader of a pipe that another process made non-blocking gets everything', () => {
    const ready = join(mkdtempSync(join(tmpdir(), 'print-')), 'ready')
    onTestFinished(() => rmSync(dirname(ready), { recursive: true }))
    // Node makes a pipe non-blocking that it opens as a stream, for all who share it.
    const other = `process.stdout.write(' '); fs.writeFileSync('${ready}', ''); setTimeout(() => {}, 1500)`
    const writers = `{ "$1" -e "${other}" & until [ -e '${ready}' ]; do sleep 0.05; done; "$@"; exit $?; }`
    const pipeline = `${writers} | { sleep 1.5; cat; }; exit "\${PIPESTATUS[0]}"`
    const words = ['-c', pipeline, 'bash', process.execPath, ...args]
    const { status, stdout, stderr } = spawnSync('bash', words, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toHaveLength(50_000)
  })
})
