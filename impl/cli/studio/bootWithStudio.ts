import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { Studio } from 'polgate-studio/server/serveStudio.ts'

type Described = {
  readonly description: StackDescription
  close(): Promise<void>
}

/**
 * A stack, described with its Studio. Where Studio cannot be served, or `ready` fails, the stack does not run on:
 * what was started is closed, last started first.
 *
 * @param given.serve undefined: without Studio
 * @param given.ready when all of it runs, such as to print its addresses
 * @throws the error of the part that failed
 */
export const bootWithStudio = <Stack extends Described>(given: {
  readonly boot: () => Promise<Stack>
  readonly serve: ((description: StackDescription) => Promise<Studio>) | undefined
  readonly ready: (stack: Stack, studio: Studio | undefined) => Promise<void>
}): Promise<Stack> =>
  startWithCleanup(async (cleanup) => {
    const booted = await given.boot()
    cleanup.defer(booted.close)
    const studio = await given.serve?.(booted.description)
    if (studio !== undefined) cleanup.defer(studio.close)
    const stack = {
      ...booted,
      description: {
        ...booted.description,
        ...(studio === undefined ? {} : { studioUrl: studio.url }),
      },
      close: cleanup.close,
    }
    await given.ready(stack, studio)
    return stack
  })
