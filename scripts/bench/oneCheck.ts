import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

// Measures `polgate run` of one check against a local stack that already runs: wall time and CPU time, and
// their ratios to the start of Node without a program, in alternating rounds, so that the load of the
// machine affects both. `--max-ratio N` fails above that ratio of CPU time, `--quick` is one round.
const { values } = parseArgs({
  options: {
    check: { type: 'string', default: 'rpc.createTask.allow' },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    'max-ratio': { type: 'string' },
  },
})
const rounds = Number(values.rounds ?? (values.quick ? 1 : 5))
const svc = fileURLToPath(new URL('../../impl/cli/polgate.mjs', import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), 'bench-one-check-'))
const stackFile = join(cwd, '.svc/stack.json')
mkdirSync(join(cwd, '.svc'))

/** CPU seconds of ended children and their children; Linux only. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

type Measured = { readonly wall: number; readonly cpu: number }

/** Seconds that a process takes, which must succeed. */
async function measured(args: readonly string[]): Promise<Measured> {
  const began = performance.now()
  const before = childSeconds()
  const code = await new Promise<number | null>((resolve) =>
    spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }).on(
      'close',
      resolve,
    ),
  )
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}`)
  return { wall: (performance.now() - began) / 1000, cpu: childSeconds() - before }
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

/** Prints both medians and returns their ratio. */
function compared(
  name: string,
  runs: readonly Measured[],
  peers: readonly Measured[],
  of: (one: Measured) => number,
): number {
  const [ours, peer] = [median(runs.map(of)), median(peers.map(of))]
  console.log(
    `${name.padEnd(10)}${ours.toFixed(2)} s, node -e 0 ${peer.toFixed(2)} s, ratio ${(ours / peer).toFixed(1)}`,
  )
  return ours / peer
}

const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']
const stack = spawn(process.execPath, [svc, 'start', ...ports, '--ready-file', stackFile], {
  cwd,
  stdio: 'ignore',
})
const stackEnded = new Promise<void>((resolve) => stack.on('close', () => resolve()))
let code = 0
try {
  while (!existsSync(stackFile)) {
    if (stack.exitCode !== null) throw new Error(`polgate start exited with ${stack.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const { gatewayUrl } = JSON.parse(readFileSync(stackFile, 'utf8')) as StackDescription
  const grep = `^${values.check.replaceAll('.', '\\.')}$`
  const run = [svc, 'run', gatewayUrl, '--grep', grep, '--quiet']
  // Builds the bundles of the sources, on first use.
  await measured(run)
  const runs: Measured[] = []
  const peers: Measured[] = []
  for (let i = 0; i < rounds; i++) {
    peers.push(await measured(['-e', '0']))
    runs.push(await measured(run))
  }
  console.log(`check     ${values.check}, median of ${rounds} rounds`)
  compared('wall', runs, peers, ({ wall }) => wall)
  const ratio = compared('processor', runs, peers, ({ cpu }) => cpu)
  console.log(`load      ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`)
  const most = values['max-ratio'] === undefined ? undefined : Number(values['max-ratio'])
  if (most !== undefined && !(ratio <= most)) {
    console.error(`the ratio of CPU time is ${ratio.toFixed(1)}, above ${most}`)
    code = 1
  }
} finally {
  stack.kill('SIGTERM')
  await stackEnded
  rmSync(cwd, { recursive: true, force: true })
}
process.exit(code)
