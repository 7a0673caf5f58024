import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { runLine } from './runLine.ts'

function run(line: string) {
  const [cwd, env] = [process.cwd(), { PATH: String(process.env.PATH) }]
  const start = ([command = '', ...args]: readonly string[]) => spawn(command, args, { cwd, env })
  return runLine(line, { user: { start }, cwd, env, code: 0, ready: /is ready/ })
}

test('a command is ready although much more follows what says so', async () => {
  const print = 'process.stdout.write("is ready" + "x".repeat(30_000)); setInterval(() => {}, 1000)'
  expect(await run(`exec node -e '${print}'`)).toMatchObject({ failure: undefined })
})

test('a command that ends before it is ready has failed', async () => {
  const { failure } = await run('echo almost')
  expect(failure).toContain('ended with 0 instead of ready')
})
