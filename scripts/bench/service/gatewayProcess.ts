import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { processorSeconds } from '../explorer/processorTime.ts'

const cli = fileURLToPath(new URL('../../../impl/cli/polgate.mjs', import.meta.url))

export type GatewayProcess = {
  readonly stack: StackDescription
  /** Resident memory in MiB; undefined if unavailable. */
  memory(): number | undefined
  /** CPU seconds so far, with those of the chain; NaN if unavailable. */
  processor(): number
  close(): Promise<void>
}

export type GatewayProcessOptions = {
  /** Every thread writes a profile of its processor time into this directory when it ends. */
  readonly profileDirectory?: string | undefined
  /** Persists chain and store here; default: in memory. */
  readonly dataDir?: string | undefined
  /** A TypeScript module that starts another stack; default: `polgate start`. */
  readonly module?: URL
}

/** Options of Node for a process whose threads write profiles. */
export const profiling = (directory: string | undefined): string[] =>
  directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`]

/** A local stack in a separate process, so that the load does not use its CPU time. */
export async function startGatewayProcess({
  profileDirectory,
  dataDir,
  module,
}: GatewayProcessOptions = {}): Promise<GatewayProcess> {
  const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']
  const kept = dataDir === undefined ? [] : ['--data-dir', dataDir]
  const program =
    module === undefined
      ? [cli, 'start', '--json', ...ports, ...kept]
      : ['--import', 'tsx', fileURLToPath(module)]
  const args = [...profiling(profileDirectory), ...program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stack = await new Promise<StackDescription>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('\n')) resolve(JSON.parse(text) as StackDescription)
    })
    child.once('exit', (code) => reject(new Error(`polgate start ended with ${code}`)))
  })
  return {
    stack,
    memory() {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
        return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
      } catch {
        return undefined
      }
    },
    processor: () => processorSeconds(child.pid),
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
