export type SerialQueue = {
  /** Runs the work once all before it has ended, however it ended. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when the work that was given until now has ended. */
  idle(): Promise<void>
}

/** Runs one piece of work at a time, in the order of the calls. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<void> = Promise.resolve()
  return {
    run(work) {
      const running = last.then(work)
      last = running.then(
        () => {},
        () => {},
      )
      return running
    },
    idle: () => last,
  }
}
