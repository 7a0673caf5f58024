import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { groupEnd } from './groupEnd.ts'

/** A process in a group of its own, below one that never reaps it. */
async function unreaped(command: string): Promise<{ group: number; stop: () => void }> {
  // What takes the place of the shell does not wait for its job.
  const parent = spawn('bash', ['-c', `set -m; ${command} & echo $!; exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const line = await new Promise<string>((resolve) =>
    createInterface({ input: parent.stdout }).once('line', resolve),
  )
  const group = Number(line)
  const stop = () => {
    parent.kill('SIGKILL')
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  return { group, stop }
}

test.runIf(process.platform === 'linux')('a group of zombies has ended', async () => {
  const { group, stop } = await unreaped('true')
  try {
    expect(() => process.kill(-group, 0)).not.toThrow()
    expect(await groupEnd(group, 5_000)).toBe(true)
  } finally {
    stop()
  }
})

test('a group with a running process has not', async () => {
  const { group, stop } = await unreaped('sleep 60')
  try {
    expect(await groupEnd(group, 200)).toBe(false)
  } finally {
    stop()
  }
})
