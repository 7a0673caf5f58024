/** Outcome of one check. Only `passed` means that something was proven. */
export type Verdict = 'passed' | 'failed' | 'untestable' | 'not-applicable'

export const exitCode = {
  conformant: 0,
  notConformant: 1,
  couldNotRun: 2,
  inconclusive: 3,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
