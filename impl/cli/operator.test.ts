import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { operatorConnection } from 'polgate-service/operators/operatorConnection.ts'
import { never, quick } from 'polgate-service/operators/testing/echoOperator.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const svc = fileURLToPath(new URL('./polgate.mjs', import.meta.url))
const run = promisify(execFile)
const blsKey = '5a'.repeat(32)
const secretsKey = '3c'.repeat(32)
const token = 'token-of-a-test-that-nobody-prints'
const env = { ...process.env, OPERATOR_TOKEN: token, OPERATOR_SECRETS_KEY: secretsKey }
let directory: string
let children: ChildProcess[]
let help: string

beforeAll(async () => {
  help = (await run(process.execPath, [svc, 'operator', '--help'])).stdout
})
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-operator-'))
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

/** Nothing listens there; a stack of another test may be at the address of the example. */
const noNode = 'http://127.0.0.1:1'

/** The first configuration of the help text, with a free port and without a node. */
function example(): Record<string, unknown> & { listen: object; chain: object } {
  const begin = help.indexOf('{ "listen"')
  const end = help.indexOf('\n\n', begin)
  const config = JSON.parse(help.slice(begin, end)) as ReturnType<typeof example>
  return {
    ...config,
    listen: { ...config.listen, port: 0 },
    chain: { ...config.chain, rpcUrl: noNode },
  }
}

async function prepare(config: object, mode = 0o600): Promise<void> {
  await writeFile(join(directory, 'operator.json'), JSON.stringify(config))
  await writeFile(join(directory, 'bls.key'), `${blsKey}\n`)
  await chmod(join(directory, 'bls.key'), mode)
}

const operator = (...args: string[]) =>
  run(process.execPath, [svc, 'operator', '--config', 'operator.json', ...args], {
    cwd: directory,
    env,
  })

function start() {
  const child = spawn(process.execPath, [svc, 'operator', '--config', 'operator.json'], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const stderr = text(child.stderr)
  const lines: string[] = []
  const ready = new Promise<{ url: string; address: `0x${string}`; id: `0x${string}` }>(
    (resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line)
        resolve(JSON.parse(line))
      })
      child.once('exit', async () => reject(new Error(await stderr)))
    },
  )
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, ready, ended, stderr, lines }
}

describe('polgate operator', () => {
  it('starts with the example of its help text, responds, and exits on a signal', async () => {
    await prepare(example())
    const { child, ready, ended, stderr, lines } = start()
    const { url, address, id } = await ready
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ ok: true })
    const connection = operatorConnection({ url, token, address, id, clock: Date.now })
    try {
      await connection.check()
      // This test has no chain, so the operator cannot verify the gateway's data.
      const request = { ...quick, referenceBlock: 1 }
      const call = connection.call('/v1/data', request, { signal: never, timeoutMs: 20_000 })
      await expect(call).rejects.toMatchObject({
        message: 'operator refuses: its node is unavailable',
        retryable: true,
      })
    } finally {
      await connection.close()
    }
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    const told = lines.join() + (await stderr)
    for (const secret of [blsKey, secretsKey, token]) expect(told).not.toContain(secret)
    expect(await stderr).toBe('')
  })

  it('prints address and id with --check', async () => {
    const { chain: _, ...config } = example()
    await prepare(config)
    const { stdout } = await operator('--check')
    expect(JSON.parse(stdout)).toEqual({
      address: config.address,
      id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    await prepare(example())
    expect(await operator('--check').catch((error) => error)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the node at chain.rpcUrl is unreachable'),
    })
  })

  it('refuses a key file that others can read, without printing it', async () => {
    await prepare(example(), 0o644)
    const failed = await operator().catch((error) => error)
    expect(failed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bls.key can be read by others (mode 644)'),
    })
    expect(failed.stderr + failed.stdout).not.toContain(blsKey)
    expect(failed.stderr).not.toMatch(/\n\s+at /)
  })

  it('warns when it listens on more than loopback', async () => {
    const { chain: _, ...config } = example()
    await prepare({ ...config, listen: { host: '0.0.0.0', port: 0 } })
    const { child, ready, ended, stderr } = start()
    await ready
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(await stderr).toContain('listens on 0.0.0.0 without TLS')
  })
})
