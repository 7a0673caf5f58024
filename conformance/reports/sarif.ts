import { createHash } from 'node:crypto'
import { counted } from 'polgate-lib/text/counted.ts'
import type { CheckFinished, PlannedCheck } from '../core/events.ts'
import { replayId } from '../core/replayId.ts'
import type { Level } from '../register/clause.ts'
import { failureLines } from './failureLines.ts'
import { readableTitle } from './readableText.ts'
import { isComplete, type Report } from './report.ts'

/** Code scanning shows fewer; required checks come first. */
const mostResults = 2_000
/** Characters of the message of a result. */
const longestMessage = 1_500

const levels: Readonly<Record<Level, 'error' | 'warning' | 'note'>> = {
  must: 'error',
  should: 'warning',
  may: 'note',
}

/** Where a gateway is described that no file of the repository describes yet. */
const usualTargetFile = 'svc-target.yaml'

const cut = (text: string) =>
  text.length > longestMessage ? `${text.slice(0, longestMessage)}...` : text

type ClauseTexts = ReadonlyMap<string, string>

/** The clauses of a check as the help text of its rule. */
function helpOf({ clauses, own, title }: PlannedCheck, texts: ClauseTexts): string {
  if (own !== undefined) return own.clause ?? readableTitle(title)
  return clauses.map((id) => `${id}: ${texts.get(id) ?? ''}`).join('\n')
}

function ruleOf(check: PlannedCheck, texts: ClauseTexts) {
  const help = cut(helpOf(check, texts))
  return {
    id: check.id,
    name: check.id,
    shortDescription: { text: cut(readableTitle(check.title)) },
    fullDescription: { text: help },
    help: {
      text: `${help}\npolgate explain ${check.id} says more.`,
      markdown: `${help
        .split('\n')
        .map((line) => `- ${line.replaceAll(/[\\`*_{}[\]<>()#!|]/g, '\\$&')}`)
        .join('\n')}\n\n\`polgate explain ${check.id}\` says more.`,
    },
    defaultConfiguration: { level: levels[check.level] },
    properties: { tags: ['conformance', check.level, `section ${check.section}`] },
  }
}

/** Of the check alone: a failure of the same check is the same alert, whatever was observed. */
const fingerprintOf = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 32)

function resultOf(result: CheckFinished, index: number, { started }: Report) {
  const uri = result.own?.file ?? started.targetFile ?? usualTargetFile
  const known = started.baseline?.find(({ check }) => check === result.id)
  return {
    ruleId: result.id,
    ruleIndex: index,
    level: levels[result.level],
    kind: 'fail' as const,
    message: { text: cut(failureLines(result).join('\n')) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
        logicalLocations: (result.own === undefined ? result.clauses : [result.id]).map((id) => ({
          fullyQualifiedName: id,
          kind: result.own === undefined ? 'clause' : 'check',
        })),
      },
    ],
    partialFingerprints: {
      'checkId/v1': fingerprintOf(result.id),
      primaryLocationLineHash: `${fingerprintOf(result.id)}:1`,
    },
    properties: { replay: `polgate replay ${replayId(result.id, started.seed)}` },
    ...(known === undefined
      ? {}
      : {
          suppressions: [
            {
              kind: 'external' as const,
              justification: `${known.reason} (until ${known.expires})`,
            },
          ],
        }),
  }
}

const mustFirst = (a: CheckFinished, b: CheckFinished) =>
  Number(b.level === 'must') - Number(a.level === 'must') || (a.id < b.id ? -1 : 1)

/** What the results do not show, so that a reader does not take a missing alert for a repaired one. */
function notificationsOf(report: Report, dropped: number) {
  const { summary, unreported } = report
  const untested = summary.untestable + (summary.own?.untestable ?? 0)
  return [
    `${summary.words}${summary.reason === undefined ? '' : `: ${summary.reason}`}`,
    ...(untested > 0
      ? [`${counted(untested, 'check was', 'checks were')} untestable, which proves nothing`]
      : []),
    ...(unreported.length > 0 ? [`${counted(unreported.length, 'check')} did not report`] : []),
    ...(dropped > 0
      ? [`${counted(dropped, 'more failure is', 'more failures are')} in the other reports`]
      : []),
  ].map((text) => ({ level: 'note' as const, message: { text: cut(text) } }))
}

/**
 * SARIF 2.1.0, for code scanning: a rule for each planned check with its clauses as help, a result for
 * each failed one. Pass it on only for a complete run: an alert without a result is closed as repaired.
 */
export function sarifReport(report: Report): string {
  const { started, finished, results, summary } = report
  const [name = 'conformance', version = ''] = started.suite.split(' ')
  const planned = [...started.checks].sort((a, b) => (a.id < b.id ? -1 : 1))
  const indexOf = new Map(planned.map(({ id }, index) => [id, index]))
  const texts = new Map(report.clauses.map(({ id, text }) => [id, text]))
  const failed = results.filter(({ verdict }) => verdict === 'failed').sort(mustFirst)
  const shown = failed.slice(0, mostResults)
  const sarif = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: `polgate-${name}`,
            version,
            semanticVersion: version,
            rules: planned.map((check) => ruleOf(check, texts)),
          },
        },
        automationDetails: {
          id: `polgate/${started.target.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}/`,
        },
        invocations: [
          {
            executionSuccessful: isComplete(report) && summary.code <= 1,
            exitCode: finished?.code ?? summary.code,
            startTimeUtc: started.at,
            ...(finished === undefined ? {} : { endTimeUtc: finished.at }),
            toolExecutionNotifications: notificationsOf(report, failed.length - shown.length),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results: shown.map((result) => resultOf(result, indexOf.get(result.id) ?? -1, report)),
        properties: { seed: started.seed, target: started.gatewayUrl },
      },
    ],
  }
  return `${JSON.stringify(sarif, null, 2)}\n`
}
