import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { childSeconds } from '../../bench/processes/measured.ts'

/** An engine's command line. */
export type Engine = { readonly name: 'opa' | 'here'; readonly command: readonly string[] }

/** How a command ended. CPU seconds and memory are 0 where there is no `/proc`. */
export type CommandRun = {
  /** 137 if it was ended because it took too long. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly cpu: number
  /** The most memory that it used, in MB. */
  readonly mb: number
}

const LONGEST_MS = 600_000

/** Runs a command of an engine; nothing else may run meanwhile. */
export async function commandRun(
  { command: [file = '', ...first] }: Engine,
  args: readonly string[],
  cwd: string,
): Promise<CommandRun> {
  const before = cpuSeconds()
  const child = spawn(file, [...first, ...args], {
    ...{ cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_MS, killSignal: 'SIGKILL' },
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => out.push(part))
  child.stderr.on('data', (part: Buffer) => err.push(part))
  let mb = 0
  const polling = setInterval(() => {
    mb = Math.max(mb, peakOf(child.pid))
  }, 5)
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 137))
  }).finally(() => clearInterval(polling))
  return {
    ...{ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() },
    ...{ cpu: cpuSeconds() - before, mb },
  }
}

function cpuSeconds(): number {
  return process.platform === 'linux' ? childSeconds() : 0
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
