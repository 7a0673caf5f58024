import { execFile, fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import type { Stack } from './stack.ts'
import { startStack } from './startStack.ts'

let acme: Stack
const lines: string[] = []
beforeAll(async () => {
  acme = await startStack({
    ...{ brand: 'acme', operators: 2, chainId: 777 },
    ...{ log: (line) => lines.push(line), logLevel: 'debug' },
  })
})
afterAll(() => acme?.close())

const rpc = async (url: string, method: string) =>
  (
    (await (
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
      })
    ).json()) as { result: unknown }
  ).result

test('the options take effect', async () => {
  expect(acme.brand).toMatchObject({ methodPrefix: 'acme_', signatureHeader: 'X-Acme-Signature' })
  expect(acme.operators).toHaveLength(2)
  expect(acme.chain.chainId).toBe(777)
  expect(await rpc(acme.chain.rpcUrl, 'eth_chainId')).toBe('0x309')
  expect(lines.map((line) => line.slice(0, 1))).toContain('{')
})

test('two operators decide on a task of that chain and brand', async () => {
  const policy_client = acme.clients.cap!.policyClient
  const task = await acme.client.createTask({ policy_client, intent: acme.intent({ value: 1n }) })
  expect(task.task.intent.chainId).toBe('0x309')
  expect(task.aggregation_response.non_signer_stakes_and_signature.nonSignerPubkeys).toEqual([])
})

test('explorer, admin listener and contracts answer', async () => {
  const page = await acme.explorer.listPolicies()
  expect(page.total).toBeGreaterThan(5)
  expect((await fetch(`${acme.adminUrl}/metrics`)).status).toBe(200)
  for (const address of Object.values(acme.contracts))
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
})

test('no request is refused while the state is set back', async () => {
  let over = false
  const resetting = acme.reset().finally(() => {
    over = true
  })
  const statuses = new Set<number>()
  while (!over)
    for (const url of [acme.gatewayUrl, acme.explorerUrl, acme.adminUrl])
      statuses.add((await fetch(`${url}/nowhere`)).status)
  await resetting
  expect([...statuses]).toEqual([404])
})

test.concurrent('stacks run side by side, and end when they are closed', async ({ expect }) => {
  const other = await startStack()
  const urls = (stack: Stack) => [
    ...[stack.gatewayUrl, stack.explorerUrl, stack.adminUrl, stack.chain.rpcUrl],
  ]
  expect(new Set([...urls(acme), ...urls(other)]).size).toBe(8)
  expect(other.operators).toHaveLength(4)
  await Promise.all([other.close(), other.close()])
  for (const url of urls(other)) await expect(fetch(url)).rejects.toThrow('fetch failed')
  await expect(other.snapshot()).rejects.toMatchObject({ code: 'ended' })
  // The first one is not affected.
  expect((await acme.explorer.listPolicies()).total).toBeGreaterThan(5)
})

test.concurrent('a disposed stack has ended', async ({ expect }) => {
  let url = ''
  {
    await using stack = await startStack()
    url = stack.gatewayUrl
    expect((await fetch(`${url}/rpc`)).status).not.toBe(0)
  }
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test.concurrent('a start that takes too long is an error, and leaves no process', async ({
  expect,
}) => {
  await expect(startStack({ startTimeout: 1 })).rejects.toMatchObject({
    code: 'start',
    message: expect.stringMatching(/The stack did not start: it was not ready within 1 ms/),
  })
})

test.concurrent('calls after the process was killed say that it has ended', async ({
  expect,
  onTestFinished,
}) => {
  const stack = await startStack()
  onTestFinished(() => stack.close())
  process.kill(stack.connection.description.pid, 'SIGKILL')
  await expect
    .poll(async () => await stack.snapshot().catch((error: Error) => error.message))
    .toMatch(/The stack does not answer: the process of the stack has ended \(SIGKILL\)/)
})

/** A program that starts a stack, reports it, and stays until it is killed or ends. */
async function program(body: string, done: TestContext['onTestFinished']): Promise<string> {
  const here = fileURLToPath(new URL('../', import.meta.url))
  const directory = await mkdtemp(join(here, '.program-'))
  done(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'program.ts')
  await writeFile(
    path,
    `import { startStack } from '../stack/startStack.ts'\nconst stack = await startStack()\n${body}\n`,
  )
  return path
}

const tsx = ['--import', 'tsx']

test.concurrent('a stack ends with the process that started it, even if that is killed', async ({
  expect,
  onTestFinished,
}) => {
  const path = await program(
    'process.send?.({ gatewayUrl: stack.gatewayUrl, rpcUrl: stack.chain.rpcUrl })\nsetInterval(() => {}, 1_000)',
    onTestFinished,
  )
  const parent = fork(path, { execArgv: tsx, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const { gatewayUrl, rpcUrl } = await new Promise<{ gatewayUrl: string; rpcUrl: string }>(
    (resolve, reject) => {
      parent.once('message', resolve as never)
      parent.once('exit', () => reject(new Error('the program ended')))
    },
  )
  expect((await fetch(`${gatewayUrl}/rpc`)).status).toBeGreaterThan(0)
  parent.kill('SIGKILL')
  for (const url of [gatewayUrl, rpcUrl])
    await expect
      .poll(() =>
        fetch(url).then(
          () => 'answers',
          (error: Error) => error.message,
        ),
      )
      .toBe('fetch failed')
})

test.concurrent('a program that forgets to close its stack ends all the same', async ({
  expect,
  onTestFinished,
}) => {
  const path = await program("process.stdout.write('started')", onTestFinished)
  // A status other than 0 is an error.
  const { stdout } = await promisify(execFile)(process.execPath, [...tsx, path], {
    timeout: 110_000,
  })
  expect(stdout).toBe('started')
})
