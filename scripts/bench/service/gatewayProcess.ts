import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

const cli = fileURLToPath(new URL('../../../impl/cli/svc.mjs', import.meta.url))

export type GatewayProcess = {
  readonly stack: StackDescription
  /** Resident memory in MiB; undefined if unavailable. */
  memory(): number | undefined
  close(): Promise<void>
}

/** A local stack in a separate process, so that the load does not use its CPU time. */
export async function startGatewayProcess(): Promise<GatewayProcess> {
  const args = [cli, 'start', '--json', '--port', '0', '--chain-port', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stack = await new Promise<StackDescription>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('\n')) resolve(JSON.parse(text) as StackDescription)
    })
    child.once('exit', (code) => reject(new Error(`svc start ended with ${code}`)))
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
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
