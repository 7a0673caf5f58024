import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrdinaryUser } from './ordinaryUser.ts'

export type RunningStack = {
  readonly gatewayUrl: string
  /** Puts its description where a command in this folder reads keys and contracts from. */
  readonly describeIn: (folder: string) => void
  readonly readyMs: number
  /** Stops it as a terminal would. @throws Error if it does not end by itself, with code 0 */
  readonly stop: () => Promise<void>
}

/** Studio's page is part of the package. @throws Error for a file of it that is missing */
async function requirePage(studioUrl: string): Promise<void> {
  const page = await (await fetch(studioUrl)).text()
  const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  if (paths.length < 2) throw new Error(`Studio's page names ${paths.length} files:\n${page}`)
  for (const path of paths) {
    const { ok, status } = await fetch(new URL(path, studioUrl))
    if (!ok) throw new Error(`${path} of Studio: ${status}`)
  }
}

const readyWithinMs = 90_000
const endWithinMs = 20_000

/**
 * Starts a stack on free ports and waits until it is ready.
 * @throws Error with the end of its output if it ends before, or is too slow
 */
export async function startStack(
  user: OrdinaryUser,
  words: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<RunningStack> {
  const begin = performance.now()
  const file = join(cwd, 'ready.json')
  rmSync(file, { force: true })
  const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']
  const child = user.start([...words, 'start', ...ports, '--ready-file', file], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      output = (output + part).slice(-3_000)
    })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  const isRunning = () => child.exitCode === null && child.signalCode === null
  while (!existsSync(file)) {
    if (!isRunning()) throw new Error(`start ended with ${child.exitCode}:\n${output}`)
    if (performance.now() - begin > readyWithinMs) {
      child.kill('SIGKILL')
      throw new Error(`start was not ready after ${readyWithinMs} ms:\n${output}`)
    }
    await sleep(50)
  }
  const { gatewayUrl, studioUrl } = JSON.parse(readFileSync(file, 'utf8')) as {
    gatewayUrl: string
    studioUrl: string
  }
  await requirePage(studioUrl)
  return {
    gatewayUrl,
    describeIn: (folder) => {
      mkdirSync(join(folder, '.svc'), { recursive: true })
      copyFileSync(file, join(folder, '.svc/stack.json'))
      user.owns(join(folder, '.svc'))
    },
    readyMs: performance.now() - begin,
    async stop() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
      const [code, signal] = await ended
      clearTimeout(late)
      if (code !== 0) throw new Error(`start ended with ${code ?? signal}:\n${output}`)
    },
  }
}
