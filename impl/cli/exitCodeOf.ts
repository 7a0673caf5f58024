/** The exit code of a process that a signal ends, as a shell reports it. */
export const exitCodeOf = (signal: NodeJS.Signals): number =>
  ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })[signal as 'SIGINT'] ?? 1
