import { fork, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Stack } from './stack.ts'
import { startStack } from './startStack.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

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

test('stacks run side by side, and end when they are closed', async () => {
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

test('a disposed stack has ended', async () => {
  let url = ''
  {
    await using stack = await startStack()
    url = stack.gatewayUrl
    expect((await fetch(`${url}/rpc`)).status).not.toBe(0)
  }
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('a start that takes too long is an error, and leaves no process', async () => {
  await expect(startStack({ startTimeout: 1 })).rejects.toMatchObject({
    code: 'start',
    message: expect.stringMatching(/The stack did not start: it was not ready within 1 ms/),
  })
})

test('calls after the process was killed say that it has ended', async () => {
  const stack = await startStack()
  cleanup.defer(() => stack.close())
  process.kill(stack.connection.description.pid, 'SIGKILL')
  await expect
    .poll(async () => await stack.snapshot().catch((error: Error) => error.message))
    .toMatch(/The stack does not answer: the process of the stack has ended \(SIGKILL\)/)
})

/** A program that starts a stack, reports it, and stays until it is killed or ends. */
async function program(body: string): Promise<string> {
  const here = fileURLToPath(new URL('../', import.meta.url))
  const directory = await mkdtemp(join(here, '.program-'))
  cleanup.defer(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'program.ts')
  await writeFile(
    path,
    `import { startStack } from '../stack/startStack.ts'\nconst stack = await startStack()\n${body}\n`,
  )
  return path
}

const tsx = ['--import', 'tsx']

test('a stack ends with the process that started it, even if that is killed', async () => {
  const path = await program(
    'process.send?.({ gatewayUrl: stack.gatewayUrl, rpcUrl: stack.chain.rpcUrl })\nsetInterval(() => {}, 1_000)',
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

test('a program that forgets to close its stack ends all the same', async () => {
  const path = await program("process.stdout.write('started')")
  const { status, stdout } = spawnSync(process.execPath, [...tsx, path], {
    encoding: 'utf8',
    timeout: 110_000,
  })
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'started' })
})
