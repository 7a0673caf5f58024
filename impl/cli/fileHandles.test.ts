import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { readyz, readyzWithinMs, untilReadyz } from 'polgate-local/testing/readyz.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { afterEach, expect, it } from 'vitest'
import { cliPath } from './testing/runProcess.ts'

const handles = 1024

const cleanup = createCleanupStack()
afterEach(cleanup.close)

/** A stack as a user starts it, with few file handles. */
async function startStack() {
  const cwd = await mkdtemp(join(tmpdir(), 'handles-'))
  cleanup.defer(() => rm(cwd, { recursive: true, force: true }))
  const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']
  const words = [cliPath, 'start', '--json', '--no-studio', '--data-dir', 'data', ...ports]
  const limited = `ulimit -n ${handles} && exec "$0" "$@"`
  const child = spawn('sh', ['-c', limited, process.execPath, ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  cleanup.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  for await (const line of createInterface(child.stdout))
    return { pid: child.pid!, stack: JSON.parse(line) as StackDescription }
  throw new Error('the stack did not start')
}

/** CPU time of a process so far, milliseconds. */
async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Holds connections and sends nothing; those that are closed are opened again. */
async function occupy(url: string, share: number) {
  const port = Number(new URL(url).port)
  const sockets = new Set<Socket>()
  const fill = () => {
    while (sockets.size < handles * share) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
  }
  fill()
  const refill = setInterval(fill, 100)
  const free = () => {
    clearInterval(refill)
    for (const socket of sockets) socket.destroy()
  }
  cleanup.defer(free)
  await Promise.all(
    [...sockets].map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
  )
  return { free }
}

/** Creates tasks one after another on a connection that it keeps. */
function load(stack: StackDescription, acknowledged: Bytes32[]) {
  let stopped = false
  const client = stackClient(stack)
  const policyClient = stack.clients['allow-list']!.policyClient
  const work = (async () => {
    while (!stopped) {
      const intent = plainIntent(stack, acknowledged.length + 1)
      const answer = await client
        .call('createTask', { policy_client: policyClient, intent, timeout: 5 })
        .catch(() => undefined)
      if (answer?.result?.status === 'success') acknowledged.push(answer.result.task_id as Bytes32)
      await pause(20)
    }
  })()
  const stop = () => {
    stopped = true
    return work
  }
  cleanup.defer(stop)
  return stop
}

it.runIf(process.platform === 'linux')(
  'a stack whose file handles idle connections use up says so, works on, and recovers without a restart',
  { timeout: 240_000 },
  async () => {
    const { pid, stack } = await startStack()
    const acknowledged: Bytes32[] = []
    const progress = () => {
      const goal = acknowledged.length + 5
      return expect
        .poll(() => acknowledged.length, { timeout: 60_000 })
        .toBeGreaterThanOrEqual(goal)
    }
    await untilReadyz(stack, 200)
    for (let round = 0; round < 2; round++) {
      const stop = load(stack, acknowledged)
      await progress()
      const { gatewayUrl, explorerUrl, controlUrl, fixtureHostUrl } = stack
      const idle = await Promise.all([
        occupy(gatewayUrl, 1 / 2),
        occupy(explorerUrl!, 1 / 8),
        occupy(controlUrl, 1 / 16),
        occupy(fixtureHostUrl, 1 / 16),
      ])
      const away = await untilReadyz(stack, 503)
      expect(away.text).toMatch(/^connections: \d+ are open, /m)
      expect(away.ms).toBeLessThan(readyzWithinMs)
      // Callers that are connected go on.
      await progress()
      await stop()
      await pause(500)
      const before = await cpuMs(pid)
      await pause(3_000)
      expect((await cpuMs(pid)) - before).toBeLessThan(1_500)
      expect((await readyz(stack)).status).toBe(503)
      for (const { free } of idle) free()
      const back = await untilReadyz(stack, 200)
      expect(back.ms).toBeLessThan(readyzWithinMs)
    }
    const stop = load(stack, acknowledged)
    await progress()
    await stop()
    const missing: Bytes32[] = []
    for (const id of acknowledged) {
      const response = await fetch(`${stack.explorerUrl}/v1/task/${id}`, {
        headers: { 'x-api-key': stack.apiKeys.rpc! },
      })
      if (response.status !== 200) missing.push(id)
      await response.arrayBuffer()
    }
    expect(missing).toEqual([])
  },
)
