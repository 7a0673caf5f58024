import type { AppError } from 'polgate-lib/errors/appError.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { stdoutClosed } from '../brokenPipe.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { exit } from '../exit.ts'
import { exitCodeOf } from '../exitCodeOf.ts'
import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { closeBeforeExit, endingSignal, parentGone } from '../signals.ts'
import type { DevEvent, Report } from './devEvents.ts'
import { createDevSession } from './devSession.ts'
import { type DevStack, runningDevStack, startDevStack } from './devStack.ts'
import { devText } from './devText.ts'
import { createFolderScan } from './folderScan.ts'
import { createFolderWatch } from './folderWatch.ts'
import { createRerun } from './rerun.ts'

export type DevOptions = {
  readonly target?: string
  readonly running?: boolean
  readonly port?: number
  readonly allowHost?: readonly string[]
  readonly json?: boolean
  /** False with `--no-tests`. */
  readonly tests?: boolean
}

/**
 * `polgate dev`. Exits the process explicitly, so that a pending handle cannot keep it alive.
 *
 * @throws CommandError if it could not begin
 */
export async function runDev(folder: string, options: DevOptions): Promise<never> {
  const ending = Promise.race([
    endingSignal(),
    parentGone().gone.then(() => 'SIGHUP' as const),
    new Promise<NodeJS.Signals>((done) => {
      stdoutClosed().addEventListener('abort', () => done('SIGTERM'), { once: true })
    }),
  ])
  const interrupt = new AbortController()
  void ending.then((signal) => interrupt.abort(new Error(`interrupted by ${signal}`)))
  const report = reporter(options.json === true)
  // A folder that is not a package ends the command before anything is started.
  const given = await loadPolicyPackage(folder)
  const stack = await begun(given, options, interrupt.signal).catch(async (error: unknown) => {
    if (!interrupt.signal.aborted) throw error
    return await exit(exitCodeOf(await ending))
  })
  const { target } = stack
  report({
    ...{ event: 'started', package: given.name, directory: given.directory },
    ...{ gatewayUrl: target.gatewayUrl, explorerUrl: target.explorerUrl ?? null },
    ...{ stack: target.file, ownStack: stack.own },
  })
  if (stack.hosts === undefined && given.mocks !== undefined)
    report({
      event: 'note',
      message:
        'the operators of this stack run elsewhere: the mocks of the package do not reach them',
    })
  let watch: { close(): Promise<void> } | undefined
  try {
    watch = await watched(stack, given.directory, { report, tests: options.tests !== false })
    await ending
  } finally {
    await closeBeforeExit(async () => {
      await watch?.close()
      await stack.close()
    })
  }
  report({ event: 'stopped' })
  const code = exitCodeOf(await ending)
  return exit(code === 130 || code === 143 ? 0 : code)
}

async function begun(
  given: PolicyPackage,
  { target, running, port, allowHost = [] }: DevOptions,
  signal: AbortSignal,
): Promise<DevStack> {
  if (target !== undefined || running === true) {
    if (port !== undefined || allowHost.length > 0)
      throw new CommandError('--port and --allow-host are about a stack that dev starts', {
        hint: 'Leave them out, or leave out --running and --target.',
      })
    return await runningDevStack(target)
  }
  const { dim } = colours(process.stderr)
  return await startDevStack(given, {
    ...{ port, allowHost, signal },
    progress: (step) => console.error(dim(`${step} ...`)),
  })
}

/** Publishes the package, and again after every change. */
async function watched(
  stack: DevStack,
  directory: string,
  { report, tests }: { readonly report: Report; readonly tests: boolean },
): Promise<{ close(): Promise<void> }> {
  const session = await createDevSession(stack, directory, { report, tests })
  const scan = createFolderScan(directory)
  const rerun = createRerun({
    async scan() {
      const { files, directories } = await scan()
      watch.set(directories)
      return files
    },
    run: session.run,
    failed(error) {
      const { message, hint = null } = error as AppError
      report({ event: 'error', stage: 'package', message, hint, inForce: null })
    },
  })
  const watch = createFolderWatch(rerun.touch)
  rerun.touch()
  return {
    async close() {
      watch.close()
      await rerun.close()
    },
  }
}

function reporter(json: boolean): Report {
  const theme = colours(process.stdout)
  return (event: DevEvent) => {
    if (json) console.log(JSON.stringify(event))
    else
      for (const line of devText(event, theme))
        console.log(wrapText(line, outputWidth(process.stdout)))
  }
}
