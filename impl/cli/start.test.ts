import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const svc = fileURLToPath(new URL('./polgate.mjs', import.meta.url))
const run = promisify(execFile)
let directory: string
let children: ChildProcess[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-start-'))
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

function start(...args: string[]) {
  const child = spawn(
    process.execPath,
    [svc, 'start', '--port', '0', '--chain-port', '0', ...args],
    {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: undefined },
    },
  )
  children.push(child)
  const stdout = text(child.stdout)
  let seen = ''
  child.stdout.on('data', (chunk: Buffer) => {
    seen += chunk
  })
  const stderr = text(child.stderr)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  /** The stack description once it is ready; throws with stderr if startup failed. */
  const described = async (): Promise<StackDescription> => {
    let code: number | null | undefined
    void ended.then((exit) => {
      code = exit
    })
    while (!existsSync(stackFile())) {
      if (code !== undefined) throw new Error(`polgate start ended with ${code}: ${await stderr}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return JSON.parse(await readFile(stackFile(), 'utf8')) as StackDescription
  }
  return { child, stdout, stderr, written: () => seen, ended, described }
}

const stackFile = () => join(directory, '.svc/stack.json')
const answers = (url: string) =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  )

describe('polgate start', () => {
  it('in the background of a shell that ends, says why it stops', async () => {
    const output = join(directory, 'start.log')
    // The shell ends as soon as the stack is ready, so that its parent is gone.
    const line = `"$1" "$2" start --port 0 --chain-port 0 >start.log 2>&1 & until [ -e .svc/stack.json ]; do sleep 0.1; done; echo $!`
    const { stdout } = await run('sh', ['-c', line, 'sh', process.execPath, svc], {
      cwd: directory,
    })
    const pid = Number(stdout)
    const isAlive = () => existsSync(`/proc/${pid}/cmdline`)
    try {
      await expect.poll(isAlive, { timeout: 60_000, interval: 200 }).toBe(false)
      expect(await readFile(output, 'utf8')).toContain(
        'The process that started this stack has ended. To keep it running: polgate start --detached',
      )
    } finally {
      if (isAlive()) process.kill(pid, 'SIGKILL')
    }
  })

  it('prints working curl commands, and cleans up when stopped', async () => {
    const { child, written, ended, described } = start(
      ...['--ready-file', 'ready.json', '--second-network'],
    )
    const description = await described()
    const ready = join(directory, 'ready.json')
    await expect.poll(() => existsSync(ready), { timeout: 60_000 }).toBe(true)
    await expect.poll(() => curlOf(written()), { timeout: 60_000 }).toMatch(/^curl -s[\s\S]+'$/)
    expect(written()).toContain(`${description.gatewayUrl}/rpc`)
    expect(written()).not.toContain('\u001b[')
    const paste = async (command: string) => {
      await writeFile(join(directory, 'try.sh'), command)
      const { stdout } = await run('sh', [join(directory, 'try.sh')], {
        env: { ...process.env, no_proxy: '127.0.0.1' },
      })
      return JSON.parse(stdout)
    }
    const { result } = await paste(curlOf(written()))
    expect(result).toMatchObject({ status: 'success' })
    const listing = /^curl -s '.*\/v1\/task\?.*$/m.exec(written())![0]
    await expect
      .poll(() => paste(listing), { timeout: 60_000 })
      .toMatchObject({ total: 1, results: [{ id: result.task_id, network: 'testnet' }] })
    const second = `${listing} -H 'x-protocol-network: base-sepolia'`
    expect(await paste(second.replace('/task?', '/policy?'))).toMatchObject({
      results: [{ network: 'base-sepolia' }],
    })

    const links = (await (await fetch(`${description.chaosUrl}/links`)).json()) as {
      name: string
    }[]
    const ways = ['chain', 'oracles', ...description.operators.map((_, at) => `operator-${at}`)]
    expect(links.map(({ name }) => name)).toEqual(ways)

    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect([existsSync(stackFile()), existsSync(ready)]).toEqual([false, false])
    expect(await answers(description.chain.rpcUrl)).toBe(false)
    expect(await answers(description.gatewayUrl)).toBe(false)
    expect(await answers(description.controlUrl)).toBe(false)
    expect(await answers(description.chaosUrl!)).toBe(false)
    expect(await answers(description.explorerUrl!)).toBe(false)
    expect(await answers(description.networks!['base-sepolia']!.rpcUrl)).toBe(false)
  }, 240_000)

  it('runs a command, exits with its code, and coexists with another stack', async () => {
    const one = start(
      '--json',
      '--exec',
      'test -s "$SVC_STACK_FILE" && test -n "$SVC_GATEWAY_URL" && test -n "$SVC_EXPLORER_URL" && exit 7',
    )
    const both = [one, start('--exec', 'true')]
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([7, 0])
    expect(await one.stdout).toBe('')
    const described = (await one.stderr).split('\n').find((line) => line.startsWith('{'))
    expect(JSON.parse(described!)).toMatchObject({
      version: 1,
      adminUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    })
  }, 240_000)

  it('persists chain and tasks in a data directory, and its chain ends when it is killed', async () => {
    const first = start('--data-dir', 'data')
    const before = await first.described()
    const request = (description: StackDescription) => ({
      method: 'POST',
      headers: { authorization: `Bearer ${description.apiKeys.rpc}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: '1',
        method: 'svc_createTask',
        params: {
          policy_client: description.clients['allow-list']!.policyClient,
          intent: {
            from: description.accounts.sender.address,
            to: description.accounts.recipient.address,
            value: '0x1',
            data: '0x',
            chain_id: '0x7a69',
            function_signature: '0x',
          },
        },
      }),
    })
    const create = async (description: StackDescription) =>
      (await (await fetch(`${description.gatewayUrl}/rpc`, request(description))).json()) as {
        result: { status: string; task: { nonce: number; taskCreatedBlock: number } }
      }
    const one = await create(before)
    expect(one.result).toMatchObject({ status: 'success', task: { nonce: 0 } })
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const second = start('--data-dir', 'data')
    const two = await create(await second.described())
    expect(two.result).toMatchObject({ status: 'success', task: { nonce: 1 } })
    expect(two.result.task.taskCreatedBlock).toBeGreaterThan(one.result.task.taskCreatedBlock)

    const { rpcUrl } = (await second.described()).chain
    expect(await answers(rpcUrl)).toBe(true)
    second.child.kill('SIGKILL')
    await second.ended
    await expect.poll(() => answers(rpcUrl), { timeout: 60_000 }).toBe(false)
  }, 240_000)

  it('suggests the right flag or command for a typo, and exits 2', async () => {
    const failed = run(process.execPath, [svc, 'start', '--prot', '1']).catch((error) => error)
    expect(await failed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean --port?'),
    })
    const typo = run(process.execPath, [svc, 'strat']).catch((error) => error)
    expect(await typo).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean start?'),
    })
  })
})

function curlOf(banner: string): string {
  const begin = banner.indexOf('curl -s')
  return banner.slice(begin, banner.indexOf("'\n", banner.indexOf("-d '")) + 1)
}
