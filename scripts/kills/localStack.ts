import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { KillTarget } from './target.ts'

const svc = fileURLToPath(new URL('../../impl/cli/polgate.mjs', import.meta.url))
const words = ['--json', '--port', '0', '--chain-port', '0', '--explorer-port', '0']

/** `polgate start --data-dir`: one process with its chain and embedded database, which end together. */
export function localStack(home: string, keep: boolean): KillTarget {
  let child: ChildProcess | undefined

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = child
    child = undefined
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return
    const exit = once(ended, 'exit')
    ended.kill(signal)
    await exit
  }

  return {
    async start() {
      const started = spawn(process.execPath, [svc, 'start', ...words, '--data-dir', home], {
        cwd: home,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      child = started
      return await new Promise<StackDescription>((resolve, reject) => {
        createInterface({ input: started.stdout }).once('line', (line) => resolve(JSON.parse(line)))
        started.once('exit', (code) => reject(new Error(`the stack failed to start: ${code}`)))
      })
    },
    async kill() {
      await end('SIGKILL')
      return 'the stack'
    },
    stop: () => end('SIGTERM'),
    database: { dataDir: join(home, 'store') },
    async close() {
      await end('SIGKILL')
      if (!keep) await rm(home, { recursive: true, force: true })
    },
  }
}
