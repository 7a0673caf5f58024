import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

const cli = fileURLToPath(new URL('../../cli/polgate.mjs', import.meta.url))

export type StudioStack = {
  readonly stack: StackDescription & { readonly studioUrl: string }
  close(): Promise<void>
}

/** Starts a stack with Studio as a user does, on free ports and in a folder of its own. */
export async function startStudioStack(...options: readonly string[]): Promise<StudioStack> {
  const directory = await mkdtemp(join(tmpdir(), 'studio-'))
  const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']
  const child = spawn(process.execPath, [cli, 'start', '--json', ...ports, ...options], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => {
    told = `${told}${chunk}`.slice(-4_000)
  })
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await rm(directory, { recursive: true, force: true })
  }
  try {
    let text = ''
    for await (const chunk of child.stdout) {
      text += chunk
      if (!text.includes('\n')) continue
      return { stack: JSON.parse(text.slice(0, text.indexOf('\n'))), close }
    }
    throw new Error(`the stack did not start: ${told}`)
  } catch (error) {
    await close()
    throw error
  }
}
