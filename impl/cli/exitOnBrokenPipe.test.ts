import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
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
