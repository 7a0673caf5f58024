import { optimizeLate } from 'polgate-lib/compile/optimizeLate.mjs'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import type { FromStack, StackConnection, ToStack } from '../stack/controlWire.ts'
import { type RunningStack, startRunningStack } from './runningStack.ts'
import { serveTestingControl } from './testingControl.ts'

/** Milliseconds after which a close is given up. */
const closeMs = 10_000

optimizeLate()
runStackProcess()

/** Waits for the settings, runs one stack, and ends with the process that started this one. */
function runStackProcess(): void {
  let close = async () => {}
  let ending = false
  const end = async (code: number) => {
    if (ending) return
    ending = true
    setTimeout(() => process.exit(code), closeMs)
    await close().catch((error: unknown) => say(errorText(error)))
    process.exit(code)
  }
  // The channel also ends when the other process is killed.
  process.once('disconnect', () => void end(0))
  process.once('SIGTERM', () => void end(0))
  // Ctrl-C in a terminal reaches this process too; the test runner decides when the stack ends.
  process.on('SIGINT', () => {})
  // The reader of the log may be gone first.
  process.stderr.on('error', () => {})

  process.on('message', async (message: ToStack) => {
    if (message.does === 'close') return await end(0)
    try {
      const settings = { ...message.settings, progress: say, warn: say }
      const stack = await startRunningStack(settings)
      close = stack.close
      if (ending) return await stack.close()
      const { connection, close: closeAll } = await serveStack(stack)
      close = closeAll
      tell({ is: 'ready', connection })
    } catch (error) {
      tell({ is: 'failed', error: errorText(error) })
      await end(1)
    }
  })
}

async function serveStack(stack: RunningStack) {
  const firstSnapshot = await stack.snapshots.take()
  const control = await serveTestingControl(stack)
  const { protocol, registries, token } = stack.fixtures.deployment
  const connection: StackConnection = {
    description: stack.description,
    adminUrl: stack.adminUrl,
    contracts: { ...protocol, ...registries, token },
    testingUrl: control.url,
    token: control.token,
    firstSnapshot,
  }
  const close = async () => {
    await control.close()
    await stack.close()
  }
  return { connection, close }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

function tell(message: FromStack): void {
  if (process.connected) process.send?.(message)
}
