import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { comparisonMarkdown } from '../reports/comparisonText.ts'
import { gateAnnotations, githubAnnotations, githubOutputs } from '../reports/github.ts'
import { plain } from '../reports/markdown.ts'
import type { Report } from '../reports/report.ts'
import type { Gate } from './gate.ts'

export type GithubWorld = {
  readonly stdout: { readonly write: (text: string) => unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Directory of the reports. */
  readonly directory: string
  /** File of the Markdown report, if one was written. */
  readonly summary: string | undefined
  readonly gate?: Gate | undefined
}

/**
 * Reports a run to a GitHub workflow, if there is one: the text report with workflow commands
 * disabled, since it quotes the gateway; annotations; step summary; outputs.
 */
export function reportToGithub(
  report: Report,
  { stdout, env, directory, summary, gate }: GithubWorld,
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
  for (const line of gateAnnotations(gate)) stdout.write(`${line}\n`)
  const { GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = env
  if (GITHUB_STEP_SUMMARY && summary !== undefined)
    appendFileSync(GITHUB_STEP_SUMMARY, `${readFileSync(summary, 'utf8')}\n`)
  if (GITHUB_STEP_SUMMARY && gate !== undefined)
    appendFileSync(
      GITHUB_STEP_SUMMARY,
      gate.comparison === undefined
        ? `${plain(gate.reason)}\n`
        : `${comparisonMarkdown(gate.comparison)}\n`,
    )
  if (GITHUB_OUTPUT) {
    const outputs = githubOutputs(report, directory, gate)
    appendFileSync(GITHUB_OUTPUT, `${outputs.join('\n')}\n`)
  }
}
