import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, expect, it } from 'vitest'

const svc = fileURLToPath(new URL('../../cli/polgate.mjs', import.meta.url))
const address = `0x${'ab'.repeat(20)}`
const key = '11'.repeat(32)
const cleanup = createCleanupStack()
afterEach(cleanup.close)

/** Reports each package of OpenTelemetry that is required. */
const hook = `
const { Module } = require('node:module')
const load = Module._load
Module._load = function (name, ...rest) {
  if (String(name).includes('@opentelemetry')) process.stderr.write('loads ' + name + '\\n')
  return load.call(this, name, ...rest)
}`

/** Starts an operator, ends it, and returns what it wrote to stderr. */
async function stderrOf(env: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-lazy-'))
  cleanup.defer(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'hook.cjs')
  await writeFile(file, hook)
  const child = spawn(process.execPath, ['--require', file, svc, 'operator', '--config', '-'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  child.stdin.end(
    JSON.stringify({
      token: 'a-token-of-this-test',
      address,
      blsKey: key,
      secretsKey: key,
      chainId: 1,
      content: { directory: join(directory, 'content') },
      oracles: { cacheDir: join(directory, 'cache'), warm: 0 },
    }),
  )
  const written = text(child.stderr)
  child.stdout.once('data', () => child.kill('SIGTERM'))
  await new Promise((resolve) => child.once('exit', resolve))
  return written
}

it('loads no library of OpenTelemetry unless traces are configured', async () => {
  expect(await stderrOf({})).not.toContain('@opentelemetry')
  // The hook does report them.
  const configured = await stderrOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
  expect(configured).toContain('loads @opentelemetry/')
}, 120_000)
