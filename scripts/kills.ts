/**
 * Kills a whole local stack with a data directory repeatedly while tasks are created, and restarts
 * it each time: `npm run kills -- --rounds 20`. Exits 1 if a start failed or an
 * acknowledged task is lost.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { openStore } from 'polgate-service/store/openStore.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    'data-dir': { type: 'string' },
    'most-ms': { type: 'string', default: '10000' },
  },
})
const svc = fileURLToPath(new URL('../impl/cli/polgate.mjs', import.meta.url))
const home = values['data-dir'] ?? (await mkdtemp(join(tmpdir(), 'svc-kills-')))
const acknowledged = new Set<string>()
let value = Date.now() % 1_000_000
let failures = 0

async function start() {
  const words = [svc, 'start', '--json', '--port', '0', '--chain-port', '0', '--explorer-port', '0']
  const child = spawn(process.execPath, [...words, '--data-dir', home], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ready = await new Promise<StackDescription | undefined>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)))
    child.once('exit', () => resolve(undefined))
  })
  return { child, ready }
}

for (let round = 1; round <= Number(values.rounds); round++) {
  const { child, ready } = await start()
  if (ready === undefined) {
    failures += 1
    process.stdout.write(`round ${round}: the stack failed to start\n`)
    continue
  }
  const { call } = stackClient(ready)
  let killed = false
  const load = Array.from({ length: 3 }, async () => {
    while (!killed) {
      value += 1
      const params = {
        policy_client: ready.clients['allow-list']!.policyClient,
        intent: plainIntent(ready, value),
        timeout: 60,
      }
      const answer = await call('createTask', params).catch(() => undefined)
      if (answer?.result !== undefined) acknowledged.add(answer.result.task_id as string)
    }
  })
  // Kills early and late, so that in most rounds tasks are in progress.
  await pause(Math.random() * Number(values['most-ms']))
  child.kill('SIGKILL')
  killed = true
  await Promise.all([once(child, 'exit'), ...load])
  process.stdout.write(`round ${round}: killed, ${acknowledged.size} tasks acknowledged so far\n`)
}

const store = await openStore({ dataDir: join(home, 'store') })
const found = new Set(
  (await store.database.query<{ id: string }>('select id from tasks')).map(({ id }) => id),
)
await store.close()
const lost = [...acknowledged].filter((id) => !found.has(id))
process.stdout.write(
  `${values.rounds} kills: ${failures} failed starts, ${acknowledged.size} acknowledged, ${lost.length} lost\n`,
)
if (values['data-dir'] === undefined) await rm(home, { recursive: true, force: true })
process.exitCode = failures + lost.length === 0 ? 0 : 1
