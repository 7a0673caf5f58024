/**
 * `npm run try:compose`: builds the image, starts `scripts/compose.yaml`, sends tasks through both
 * gateways, kills one, and stops everything. Exits 3 if no Docker engine is available. Options:
 * --image NAME (an existing image), --keep (leave it running). NODE_IMAGE and POSTGRES_IMAGE
 * override the base images of the files.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { plainIntent } from 'polgate-local/testing/stackClient.ts'

const { values: options } = parseArgs({
  options: { image: { type: 'string' }, keep: { type: 'boolean', default: false } },
})
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const image = options.image ?? 'svc-try'
const env = { ...process.env, SVC_IMAGE: image }
const docker = async (...args: string[]): Promise<string> =>
  (await run('docker', args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 })).stdout.trim()
const begin = performance.now()
let policyClient: string | undefined
const say = (text: string) =>
  console.log(`${((performance.now() - begin) / 1000).toFixed(0).padStart(5)} s  ${text}`)

const [found, ...first] = await composeCommand()
if (found === undefined) {
  console.log('not run: no Docker engine is available, or Compose is not installed')
  process.exit(3)
}
const compose: string = found
const directory = await mkdtemp(join(tmpdir(), 'svc-compose-'))
const envFile = join(directory, 'compose.env')
async function up(...args: string[]): Promise<string> {
  const common = ['-p', 'svc-try', '--env-file', envFile, '--profile', 'development']
  const all = [...first, ...common, '-f', 'scripts/compose.yaml', ...args]
  return (await run(compose, all, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 })).stdout.trim()
}

try {
  if (options.image === undefined) {
    const base = process.env.NODE_IMAGE
    const args = base === undefined ? [] : ['--build-arg', `NODE_IMAGE=${base}`]
    await docker('build', '-q', '-f', 'scripts/Dockerfile', ...args, '-t', image, '.')
    say('built')
  }
  const script = ['--import', 'tsx', 'scripts/compose/devEnvironment.ts']
  const values = await docker('run', '--rm', '--entrypoint', 'node', image, ...script)
  await mkdir(directory, { recursive: true })
  await writeFile(envFile, values, { mode: 0o600 })
  await noSecretsInImage(values)
  await up('up', '-d')
  await healthy(['gateway', 'operator-1', 'operator-2', 'operator-3', 'postgres'])
  say('every container is healthy')
  await atWork()
} finally {
  if (!options.keep) {
    await up('down', '-v', '-t', '30').catch((error: Error) => say(error.message))
    await rm(directory, { recursive: true, force: true })
    say('taken down')
  }
}

async function atWork(): Promise<void> {
  const gateways = await containers('gateway')
  const ports = await Promise.all(gateways.map((id) => portOf(id, '8600/tcp')))
  const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const create = ['keys', 'create', '--permission', 'rpc', '--owner', owner, '--json']
  const made = await docker(
    'exec',
    gateways[0] as string,
    'node',
    'impl/cli/polgate.mjs',
    ...create,
  )
  const { key } = JSON.parse(made) as { key: string }
  const user = await docker('exec', gateways[0] as string, 'id', '-u')
  expectThat(user === '10001', `it runs as user ${user}`)
  const tasks: string[] = []
  for (let n = 1; n <= 6; n++) tasks.push(await createTask(ports[n % ports.length], key, n))
  say(`${tasks.length} tasks succeeded through ${ports.length} gateways, one key for both`)

  await docker('kill', '--signal', 'KILL', gateways[1] as string)
  tasks.push(await createTask(ports[0], key, 7))
  say('one gateway killed: the other continues')
  const explorer = await portOf(gateways[0] as string, '8601/tcp')
  const headers = { 'x-api-key': key, 'x-protocol-network': 'testnet' }
  await until('the explorer shows every task', async () => {
    const response = await fetch(`http://127.0.0.1:${explorer}/v1/task?size=50`, { headers })
    const { results = [] } = (await response.json()) as { results?: unknown[] }
    const text = JSON.stringify(results)
    return tasks.every((id) => text.includes(id.toLowerCase()))
  })
  const [one, other] = (await containers('indexer')) as [string, string]
  const writes = (await docker('logs', one)).includes('this process indexes')
  const [leader, standby] = writes ? [one, other] : [other, one]
  await docker('kill', '--signal', 'KILL', leader)
  tasks.push(await createTask(ports[0], key, 8))
  await until(`the other indexer (${standby.slice(0, 6)}) takes over`, async () => {
    const response = await fetch(`http://127.0.0.1:${explorer}/v1/task/${tasks.at(-1)}`, {
      headers,
    })
    return response.ok
  })
  const stopping = performance.now()
  await docker('stop', '-t', '30', gateways[0] as string)
  const seconds = (performance.now() - stopping) / 1000
  const code = await docker('inspect', '-f', '{{.State.ExitCode}}', gateways[0] as string)
  expectThat(code === '0', `on SIGTERM it exited with ${code} in ${seconds.toFixed(1)} s`)
}

async function createTask(port: number | undefined, key: string, value: number): Promise<string> {
  const script = `import { findImage } from './impl/local/localChain.ts'
    const { deployment } = await findImage(undefined)
    console.log(deployment.clients['allow-list'].policyClient)`
  policyClient ??= await docker(
    ...['run', '--rm', '--entrypoint', 'node', image, '--import', 'tsx'],
    ...['--input-type', 'module', '-e', script],
  )
  const accounts = {
    sender: { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    recipient: { address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
  }
  const stack = { accounts, chain: { chainId: 31_337 } } as Parameters<typeof plainIntent>[0]
  const params = { policy_client: policyClient, intent: plainIntent(stack, value) }
  const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'svc_createTask', params }),
  })
  const text = await response.text()
  const { result } = JSON.parse(text) as { result?: { status: string; task_id: string } }
  if (result?.status !== 'success') throw new Error(`the task did not succeed: ${text}`)
  return result.task_id
}

async function noSecretsInImage(values: string): Promise<void> {
  const described =
    (await docker('inspect', image)) + (await docker('history', '--no-trunc', image))
  const secrets = values.split('\n').map((line) => line.slice(line.indexOf('=') + 1))
  const found = secrets.filter((value) => /^(0x)?[0-9a-f]{48,}$/i.test(value))
  expectThat(
    found.length > 0 && !found.some((value) => described.includes(value)),
    'the image metadata contains no key',
  )
}

async function composeCommand(): Promise<string[]> {
  try {
    await docker('info')
  } catch {
    return []
  }
  const works = (file: string, ...args: string[]) =>
    run(file, args).then(
      () => true,
      () => false,
    )
  if (await works('docker', 'compose', 'version')) return ['docker', 'compose']
  return (await works('docker-compose', 'version')) ? ['docker-compose'] : []
}

async function containers(service: string): Promise<string[]> {
  return (await up('ps', '-q', service)).split('\n').filter(Boolean)
}

async function portOf(container: string, port: string): Promise<number> {
  const [line = ''] = (await docker('port', container, port)).split('\n')
  return Number(line.slice(line.lastIndexOf(':') + 1))
}

async function healthy(services: readonly string[]): Promise<void> {
  for (const service of services) {
    await until(`${service} is healthy`, async () => {
      const states = await Promise.all(
        (await containers(service)).map((id) =>
          docker('inspect', '-f', '{{.State.Health.Status}}', id),
        ),
      )
      return states.length > 0 && states.every((state) => state === 'healthy')
    })
  }
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 300_000; performance.now() < end; ) {
    if (await look().catch(() => false)) return say(what)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  throw new Error(`timed out after five minutes: ${what}`)
}

function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`expectation failed: ${what}`)
  say(what)
}
