import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { githubAnnotations, githubOutputs } from '../reports/github.ts'
import type { Report } from '../reports/report.ts'

export type GithubWorld = {
  readonly stdout: { readonly write: (text: string) => unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Directory of the reports. */
  readonly directory: string
  /** File of the Markdown report, if one was written. */
  readonly summary: string | undefined
}

/**
 * Reports a run to a GitHub workflow, if there is one: the text report with workflow commands
 * disabled, since it quotes the gateway; annotations; step summary; outputs.
 */
export function reportToGithub(
  report: Report,
  { stdout, env, directory, summary }: GithubWorld,
  tell: () => void,
): void {
  if (env.GITHUB_ACTIONS !== 'true') {
    tell()
    return
  }
  const token = randomUUID()
  stdout.write(`::stop-commands::${token}\n`)
  tell()
  stdout.write(`::${token}::\n`)
  for (const line of githubAnnotations(report)) stdout.write(`${line}\n`)
  const { GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = env
  if (GITHUB_STEP_SUMMARY && summary !== undefined)
    appendFileSync(GITHUB_STEP_SUMMARY, `${readFileSync(summary, 'utf8')}\n`)
  if (GITHUB_OUTPUT)
    appendFileSync(GITHUB_OUTPUT, `${githubOutputs(report, directory).join('\n')}\n`)
}
