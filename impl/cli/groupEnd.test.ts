import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { groupEnd } from './groupEnd.ts'

/**
 * A process in a group of its own, below one that never reaps it. It runs its command only after `sleep` has replaced
 * the shell: the shell would reap what ends before.
 */
async function unreaped(command: string): Promise<{ group: number; stop: () => void }> {
  const replaced = 'until read -r name </proc/$$/comm && [ "$name" = sleep ]; do sleep 0.01; done'
  const parent = spawn(
    'bash',
    ['-c', `set -m; { ${replaced}; ${command}; } & echo $!; exec sleep 60`],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
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

const exists = (group: number) => () => process.kill(-group, 0)

test.runIf(process.platform === 'linux')('a group of zombies has ended', async () => {
  const { group, stop } = await unreaped('true')
  try {
    expect(await groupEnd(group, 5_000)).toBe(true)
    expect(exists(group)).not.toThrow()
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
