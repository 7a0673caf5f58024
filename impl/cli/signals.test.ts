import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'signals-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A process that prints `ready`, and runs `onEnd` on a termination signal. */
function child(onEnd: string) {
  const script = `
import { existsSync, writeSync } from 'node:fs'
import { endingSignal } from ${JSON.stringify(new URL('./signals.ts', import.meta.url).href)}
const say = (word) => writeSync(1, word)
setInterval(() => {}, 1_000)
endingSignal().then((signal) => { ${onEnd} })
say('ready')`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((done) => started.once('exit', done))
  const says = (word: string) =>
    new Promise<void>((done) =>
      started.stdout.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes(word)) done()
      }),
    )
  return { started, ended, says }
}

it('an echo of the signal is ignored, even if a busy process receives it late', async () => {
  const seen = join(directory, 'seen')
  const { started, ended, says } = child(`
    say('busy')
    while (!existsSync(${JSON.stringify(seen)})) {}
    const until = performance.now() + 200
    while (performance.now() < until) {}
    setTimeout(() => process.exit(7), 200)`)
  const busy = says('busy')
  await says('ready')
  started.kill('SIGINT')
  await busy
  started.kill('SIGINT')
  writeFileSync(seen, '')
  expect(await ended).toBe(7)
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a second %s ends a process that is still closing', async (signal, code) => {
  const { started, ended, says } = child(`setTimeout(() => say('slow'), 300)`)
  const slow = says('slow')
  await says('ready')
  started.kill('SIGHUP')
  await slow
  started.kill(signal)
  expect(await ended).toBe(code)
})
