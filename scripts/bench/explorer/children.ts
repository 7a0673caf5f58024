import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { profiling } from '../service/gatewayProcess.ts'
import type { Job } from './readers.ts'
import type { ReadingResult } from './readings.ts'

/** A script in a separate process, controlled line by line. */
function start(
  script: string,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): ChildProcess {
  const args = [...flags, '--import', 'tsx', fileURLToPath(new URL(script, import.meta.url))]
  return spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
}

const line = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const ended = (code: number | null) => reject(new Error(`A benchmark process ended: ${code}`))
    const hear = (chunk: unknown) => {
      text += String(chunk)
      if (!text.includes('\n')) return
      child.stdout?.off('data', hear)
      child.off('exit', ended)
      resolve(text)
    }
    child.once('exit', ended)
    child.stdout?.on('data', hear)
  })

async function close(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.stdin?.end()
  await ended
}

export type Server = { readonly url: string; readonly keys: readonly string[] }

/** The API on a database; see explorerProcess.ts. It writes a profile into a directory when it ends. */
export async function startServer(databaseUrl: string, profileDirectory?: string) {
  const environment = { DATABASE_URL: databaseUrl }
  const child = start('./explorerProcess.ts', environment, profiling(profileDirectory))
  const server = JSON.parse(await line(child)) as Server
  return { ...server, pid: child.pid, close: () => close(child) }
}

/** The client processes; see readers.ts. */
export function startReaders() {
  const child = start('./readers.ts')
  return {
    async run(job: Job): Promise<ReadingResult> {
      const answer = line(child)
      child.stdin?.write(`${JSON.stringify(job)}\n`)
      return JSON.parse(await answer) as ReadingResult
    },
    close: () => close(child),
  }
}
