import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from 'polgate-lib/http/freePort.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OperatorConfigInput } from 'polgate-service/operatorConfig.ts'

const command = fileURLToPath(new URL('../cli/polgate.mjs', import.meta.url))

/** An operator in a separate process, which can be killed and restarted on the same port. */
export type OperatorProcess = {
  readonly url: string
  readonly id: Bytes32
  readonly pid: number | undefined
  readonly running: boolean
  /** Sends SIGKILL and waits for the exit. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Waits a moment for calls in flight; then as `stop`. */
  end(): Promise<void>
}

/** Time that an operator has to exit on a signal, milliseconds. */
const endMs = 3_000

type Ready = { readonly url: string; readonly id: Bytes32; readonly pid: number }

/**
 * Starts `polgate operator` with this configuration and waits until it is ready. It exits when this
 * process ends, however it ends.
 *
 * @throws Error with its stderr
 */
export async function startOperatorProcess(config: OperatorConfigInput): Promise<OperatorProcess> {
  const { port: wanted = 0 } = config.listen ?? {}
  // Restarts use the same port, which must still be free then.
  const port = wanted === 0 ? await freePort() : wanted
  const start = () => launch({ ...config, listen: { ...config.listen, port } })
  let { child, ready } = await start()
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
      ;({ child, ready } = await start())
    },
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

async function launch(config: OperatorConfigInput): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(process.execPath, [command, 'operator', '--config', '-'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Without it, an operator that starts while this process ends would take its next parent for this one.
    env: { ...process.env, SVC_PARENT_PID: String(process.pid) },
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
    child.once('exit', () => reject(new Error(`the operator failed to start: ${complaint.trim()}`)))
  })
  return { child, ready }
}
