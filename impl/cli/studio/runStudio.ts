import type { Studio } from 'polgate-studio/server/serveStudio.ts'
import { CommandError } from '../commandDefinition.ts'
import { exit } from '../exit.ts'
import { isFree } from '../freePorts.ts'
import { closeBeforeExit, endingSignal } from '../signals.ts'
import { openBrowser } from './openBrowser.ts'
import { serveStudioOfTarget } from './studioOfTarget.ts'

export type StudioCommandOptions = {
  readonly target: string
  readonly port?: string
  readonly open?: boolean
  readonly json?: boolean
}

/** `polgate studio`: serves until a signal ends it. */
export async function runStudio(options: StudioCommandOptions): Promise<never> {
  const ending = endingSignal()
  const studio = await serveStudioOfTarget(options.target, await portOf(options.port))
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify({ studioUrl: studio.url })}\n`
      : `studio  ${studio.url}\n\nRead-only. Press Ctrl-C to stop.\n`,
  )
  if (options.open === true) void openOrSay(studio)
  await ending
  await closeBeforeExit(() => studio.close())
  return exit(0)
}

/** Opens Studio; prints a warning, with the address to open, where no browser starts. */
export async function openOrSay(studio: Pick<Studio, 'url' | 'oneTimeUrl'>): Promise<void> {
  const problem = await openBrowser(studio.oneTimeUrl())
  if (problem === undefined) return
  process.stderr.write(`warning: no browser was opened: ${problem}. Open ${studio.url}\n`)
}

async function portOf(text: string | undefined): Promise<number | undefined> {
  if (text === undefined) return undefined
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CommandError(`--port ${text} is not a port`, {
      hint: 'Use a number from 0 to 65535.',
    })
  if (port !== 0 && !(await isFree(port)))
    throw new CommandError(`Port ${port} is in use`, {
      hint: 'Choose another, or omit the option to use a free one.',
    })
  return port
}
