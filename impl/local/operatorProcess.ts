import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OperatorConfigInput } from 'polgate-service/operatorConfig.ts'

const command = fileURLToPath(new URL('../cli/svc.mjs', import.meta.url))

/** An operator that is a process of its own: it can be killed for real, and come back on its port. */
export type OperatorProcess = {
  readonly url: string
  readonly id: Bytes32
  readonly pid: number | undefined
  readonly running: boolean
  /** SIGKILL, and waits until it is gone. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Lets calls under way end for a moment; then as `stop`. */
  end(): Promise<void>
}

/** How long an operator that is told to end may take, milliseconds. */
const endMs = 3_000

type Ready = { readonly url: string; readonly id: Bytes32; readonly pid: number }

/**
 * Starts `svc operator` with this configuration and waits until it answers. It ends with this
 * process, however that ends.
 *
 * @throws Error with what it said on stderr
 */
export async function startOperatorProcess(config: OperatorConfigInput): Promise<OperatorProcess> {
  let { child, ready } = await launch(config)
  const port = Number(new URL(ready.url).port)
  const endBy = async (signal: NodeJS.Signals) => {
    if (!isRunning(child)) return
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), endMs)
    await gone
    clearTimeout(late)
  }
  return {
    url: ready.url,
    id: ready.id,
    get pid() {
      return isRunning(child) ? ready.pid : undefined
    },
    get running() {
      return isRunning(child)
    },
    stop: () => endBy('SIGKILL'),
    end: () => endBy('SIGTERM'),
    async start() {
      if (isRunning(child)) return
      const again = await launch({ ...config, listen: { ...config.listen, port } })
      child = again.child
      ready = again.ready
    },
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

async function launch(config: OperatorConfigInput): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(process.execPath, [command, 'operator', '--config', '-'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(JSON.stringify(config))
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000)
  })
  const lines = createInterface({ input: child.stdout })
  const ready = await new Promise<Ready>((resolve, reject) => {
    lines.once('line', (line) => resolve(JSON.parse(line) as Ready))
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the operator did not start: ${complaint.trim()}`)))
  })
  return { child, ready }
}
