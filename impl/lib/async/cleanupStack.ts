export type CleanupStack = {
  /** Adds what is to be done on close: last added, first done. */
  defer(...cleanups: readonly (() => unknown)[]): void
  /** The same for something that is starting: where the start fails, there is nothing to do. */
  deferStarted<Started>(starting: Promise<Started>, cleanup: (started: Started) => unknown): void
  /**
   * Does everything that was added, one after the other, each once, whatever fails. May be called again:
   * a call during another one ends with it.
   *
   * @throws the error of the one that failed; an AggregateError where several did
   */
  close(): Promise<void>
}

export function createCleanupStack(): CleanupStack {
  const cleanups: (() => unknown)[] = []
  let closing: Promise<void> | undefined

  async function closeAll(): Promise<void> {
    const errors: unknown[] = []
    for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) {
      try {
        await cleanup()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw combined(errors)
  }

  return {
    defer(...added) {
      cleanups.push(...added)
    },
    deferStarted(starting, cleanup) {
      starting.catch(() => {})
      cleanups.push(() => starting.then(cleanup, () => {}))
    },
    close() {
      closing ??= closeAll().finally(() => {
        closing = undefined
      })
      return closing
    },
  }
}

/**
 * Starts something of several parts; where that fails, the parts that it has added are closed.
 *
 * @throws the error of the start; with those of the cleanup, where it fails too, as an AggregateError
 */
export async function startWithCleanup<Started>(
  start: (cleanup: CleanupStack) => Promise<Started>,
): Promise<Started> {
  const cleanup = createCleanupStack()
  try {
    return await start(cleanup)
  } catch (error) {
    const failed = await cleanup.close().then(
      () => [],
      (cause: unknown) => (cause instanceof AggregateError ? cause.errors : [cause]),
    )
    throw combined([error, ...failed])
  }
}

function combined(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0]
  const texts = errors.map((error) => (error instanceof Error ? error.message : String(error)))
  return new AggregateError(errors, texts.join('; '))
}
