import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { withColdCopy } from './coldCopy.ts'
import { profiling, startGatewayProcess } from './gatewayProcess.ts'
import { timeGroups } from './methodGroups.ts'
import type { Window } from './profileSummary.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const operatorLoad = fileURLToPath(new URL('./operatorLoad.child.ts', import.meta.url))

/** What explains a missed goal: a load that is repeated under the profiler, or a trace of gas. */
export type ProfiledLoad =
  | CpuLoad
  | { readonly kind: 'gas'; readonly transaction: 'no oracle' | 'one oracle' }
  | { readonly kind: 'explorer' }

type CpuLoad =
  | { readonly kind: 'operators'; readonly operators: number; readonly fixture: string }
  | { readonly kind: 'methods'; readonly group: string; readonly connections: number }
  | { readonly kind: 'start'; readonly cold: boolean }
  | { readonly kind: 'certify' }

export type ProfiledRun = {
  /** The time of the load, without start and warm-up; undefined where all of it counts. */
  readonly window?: Window
  /** CPU milliseconds of all threads and child processes in the window, if known. */
  readonly processorMs?: number
}

/** Name of a load, for people and as the name of a directory. */
export function nameOf(load: ProfiledLoad): string {
  if (load.kind === 'operators') return `${load.operators}-operators-${load.fixture}`
  if (load.kind === 'gas') return `gas-${load.transaction.replace(' ', '-')}`
  if (load.kind === 'methods')
    return `${load.group.replace(/\W+/g, '-')}-at-${load.connections}-connections`
  return load.kind === 'start' ? `start-${load.cold ? 'cold' : 'warm'}` : load.kind
}

/** Repeats a load; the processes that serve it write profiles into the directory. */
export async function runProfiled(
  load: CpuLoad,
  directory: string,
  seconds: number,
): Promise<ProfiledRun> {
  if (load.kind === 'methods') return profileMethods(load, directory, seconds)
  if (load.kind === 'operators') {
    const { operators, fixture } = load
    const tasks = String(Math.ceil(seconds * 12))
    const args = ['--import', 'tsx', operatorLoad, String(operators), fixture, tasks]
    const window = JSON.parse(await ended([...profiling(directory), ...args])) as Window
    return { window }
  }
  const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']
  const args = load.kind === 'certify' ? ['certify'] : ['start', ...ports, '--exec', 'true']
  const run = (cwd: string) =>
    ended([...profiling(directory), 'impl/cli/polgate.mjs', ...args], cwd)
  await (load.kind === 'start' && load.cold ? withColdCopy(run) : run(root))
  return {}
}

async function profileMethods(
  { group, connections }: ProfiledLoad & { kind: 'methods' },
  profileDirectory: string,
  seconds: number,
): Promise<ProfiledRun> {
  const gateway = await startGatewayProcess({ profileDirectory })
  const read = () => ({ at: now(), seconds: gateway.processor() })
  let from = read()
  let to = from
  try {
    const begin = () => {
      from = read()
    }
    const options = { connections: [connections], seconds, groups: [group], begin }
    await timeGroups(gateway.stack, options, () => {
      to = read()
    })
  } finally {
    await gateway.close()
  }
  const processorMs = (to.seconds - from.seconds) * 1_000
  return { window: { from: from.at, to: to.at }, processorMs }
}

/** Microseconds of the clock of profiles. */
export const now = (): number => Number(process.hrtime.bigint() / 1_000n)

/** What a process has written, which must end well. */
function ended(args: readonly string[], cwd = root): Promise<string> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += String(chunk)
  })
  return new Promise((resolve, reject) =>
    child.once('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${args.at(-1)} ended with ${code}`)),
    ),
  )
}
