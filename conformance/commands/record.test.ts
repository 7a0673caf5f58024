import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { record } from './record.ts'

const cleanup = createCleanupStack()
let directory: string
let target: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'record-'))
  cleanup.defer(() => rmSync(directory, { recursive: true }))
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"jsonrpc":"2.0","id":"1","result":{}}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  cleanup.defer(() => server.close())
  target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(cleanup.close)

async function run(script: string, out = 'out.fixture') {
  writeFileSync(join(directory, 'client.mjs'), script)
  const said: string[] = []
  const stream = { write: (text: string) => said.push(text) }
  const world = {
    stdout: stream,
    stderr: stream,
    env: process.env,
    cwd: directory,
    signal: new AbortController().signal,
  }
  const code = await record({ target, out, command: [process.execPath, 'client.mjs'] }, world)
  return { code, said: said.join(''), written: existsSync(join(directory, out)) }
}

test('a client that uses the addresses it is given is recorded', async () => {
  const result = await run(
    `await fetch(process.env.SVC_GATEWAY_URL + '/rpc', { method: 'POST', body: '{"jsonrpc":"2.0","id":"1","method":"svc_getTask"}' })`,
    'used.fixture',
  )
  expect(result).toMatchObject({ code: 0, written: true })
  expect(result.said).toContain('used.fixture: 1 exchange\n')
})

test('a recording of nothing fails, and says what the client must use', async () => {
  const { code, said, written } = await run(
    `await fetch('${target}/rpc', { method: 'POST', body: '{}' })`,
  )
  expect({ code, written }).toEqual({ code: 1, written: false })
  expect(said).toContain('error: nothing was recorded')
  for (const name of ['SVC_GATEWAY_URL', 'SVC_EXPLORER_URL', 'SVC_UPDATES_URL', 'SVC_STACK_FILE'])
    expect(said).toContain(name)
})

test('the exit code of a client that failed before its first request is shown', async () => {
  const { code, said } = await run('process.exitCode = 3')
  expect(code).toBe(1)
  expect(said).toContain('the command exited with 3')
  expect(said).toContain('nothing was recorded')
})

test('a file that cannot be written is refused before the client runs', async () => {
  await expect(run(`console.log('ran')`, 'nosuch/out.fixture')).rejects.toThrow(
    '--out nosuch/out.fixture: cannot write to its folder: no such file or folder',
  )
})
