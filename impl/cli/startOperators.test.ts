import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const svc = fileURLToPath(new URL('./polgate.mjs', import.meta.url))
let directory: string
let children: ChildProcess[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-start-operators-'))
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

async function start() {
  const child = spawn(
    process.execPath,
    [svc, 'start', '--operator-processes', '--port', '0', '--chain-port', '0', '--json'],
    { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  children.push(child)
  const stderr = text(child.stderr)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const stackFile = join(directory, '.svc/stack.json')
  while (!existsSync(stackFile)) {
    if (child.exitCode !== null) throw new Error(`polgate start ended: ${await stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const description = JSON.parse(await readFile(stackFile, 'utf8')) as StackDescription
  const operators = await (await fetch(`${description.controlUrl}/operators`)).json()
  return { child, ended, description, operators: operators as { address: string; pid: number }[] }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const create = (description: StackDescription, value: number) =>
  stackClient(description).call('createTask', {
    policy_client: description.clients['allow-list']!.policyClient,
    intent: plainIntent(description, value),
  })

describe('polgate start --operator-processes', () => {
  it('continues without a killed operator, reports it, and its operators end when it is killed', async () => {
    const { child, ended, description, operators } = await start()
    const pids = operators.map(({ pid }) => pid)
    expect(new Set([child.pid, ...pids]).size).toBe(5)
    const first = (await create(description, 1)).result!
    expect(first).toMatchObject({ status: 'success' })
    expect(first.operator_errors).toBeUndefined()

    const { pid, address } = operators[3]!
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => runs(pid), { timeout: 10_000 }).toBe(false)
    const second = (await create(description, 2)).result!
    expect(second).toMatchObject({
      status: 'success',
      operator_errors: [
        {
          operator_address: address,
          message: expect.stringMatching(/^operator unreachable: (connection refused|it closed)/),
          retryable: true,
        },
      ],
    })

    expect(pids.filter(runs)).toHaveLength(3)
    child.kill('SIGKILL')
    await ended
    await expect.poll(() => pids.filter(runs), { timeout: 30_000 }).toEqual([])
  }, 240_000)
})
