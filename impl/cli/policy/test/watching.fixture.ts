import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../../polgate.mjs', import.meta.url))

/** A command that runs until it is interrupted. */
export function watching(args: readonly string[]) {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let text = ''
  let changed = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      text += String(part)
      changed()
    })
  return {
    /** Waits for output since the last match, and until the command waits for changes. */
    async printed(pattern: RegExp): Promise<void> {
      for (;;) {
        const end = text.indexOf('waiting for changes')
        if (end !== -1 && pattern.test(text)) {
          text = text.slice(text.lastIndexOf('waiting for changes') + 20)
          return
        }
        await new Promise<void>((resolve, reject) => {
          changed = resolve
          void ended.then((code) => reject(new Error(`it ended with ${code}: ${text}`)))
        })
      }
    },
    interrupt(): Promise<number | null> {
      child.kill('SIGINT')
      return ended
    },
  }
}
