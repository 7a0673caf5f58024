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

/**
 * Outcome of a run, and its exit code. Only the first two certify.
 *
 * - `conformant`: every profile holds; `conformant-to`: those that are claimed
 * - `as-expected`: all failures are those of the baseline
 * - `selected-checks-*`: a part of the checks ran, which says nothing about a profile
 * - `own-checks-*`: the gateway's own checks decided, which says nothing about the specification
 */
export const runVerdicts = {
  conformant: exitCode.conformant,
  'conformant-to': exitCode.conformant,
  'as-expected': exitCode.conformant,
  'selected-checks-passed': exitCode.conformant,
  'own-checks-passed': exitCode.conformant,
  'not-conformant': exitCode.notConformant,
  'selected-checks-failed': exitCode.notConformant,
  'own-checks-failed': exitCode.notConformant,
  'could-not-run': exitCode.couldNotRun,
  inconclusive: exitCode.inconclusive,
  interrupted: exitCode.interrupted,
} as const satisfies Readonly<Record<string, ExitCode>>
export type RunVerdict = keyof typeof runVerdicts

/** Whether a run with this verdict certifies its target. */
export const certifies = (verdict: RunVerdict): boolean =>
  verdict === 'conformant' || verdict === 'conformant-to'
