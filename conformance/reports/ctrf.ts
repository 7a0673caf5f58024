import { createHash } from 'node:crypto'
import type { CheckFinished, PlannedCheck } from '../core/events.ts'
import { replayId } from '../core/replayId.ts'
import type { Verdict } from '../core/verdict.ts'
import { failureLines } from './failureLines.ts'
import { isComplete, type Report } from './report.ts'
import { diffText, structuralDiff } from './structuralDiff.ts'

/** Untestable is `other`: a reader must not take it for a pass or for a deliberate skip. */
const statuses: Readonly<Record<Verdict, 'passed' | 'failed' | 'skipped' | 'other'>> = {
  passed: 'passed',
  failed: 'failed',
  untestable: 'other',
  'not-applicable': 'skipped',
}

/** A UUID (version 8) of these texts: the same log gives the same document. */
function uuidOf(...texts: readonly string[]): string {
  const hex = createHash('sha256').update(texts.join('\n')).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const common = (check: PlannedCheck) => ({
  testId: check.id,
  name: check.id,
  suite: [`section ${check.section}`],
  tags: [check.level, ...check.clauses],
  ...(check.own === undefined ? {} : { filePath: check.own.file }),
})

const traceOf = (result: CheckFinished): string | undefined =>
  result.expected === undefined || result.observed === undefined
    ? undefined
    : diffText(structuralDiff(result.expected, result.observed)).join('\n')

function messageOf(result: CheckFinished): { readonly message?: string } {
  if (result.verdict === 'failed') return { message: failureLines(result).join('\n') }
  return result.reason === undefined ? {} : { message: result.reason }
}

/** The Common Test Report Format, read by dashboards and pull request bots. */
export function ctrfReport(report: Report): string {
  const { started, finished, results, summary, score, unreported } = report
  const start = Date.parse(started.at)
  const stop = finished === undefined ? start : start + Math.round(finished.ms)
  const tests = [
    ...results.map((result) => {
      const trace = traceOf(result)
      return {
        ...common(result),
        status: statuses[result.verdict] ?? 'other',
        rawStatus: result.verdict,
        duration: Math.round(result.ms),
        start: start + Math.max(0, Math.round(result.at)),
        stop: start + Math.max(0, Math.round(result.at + result.ms)),
        ...messageOf(result),
        ...(trace === undefined ? {} : { trace }),
        ...(result.curl === undefined ? {} : { snippet: result.curl }),
        extra: { title: result.title, replay: replayId(result.id, started.seed) },
      }
    }),
    ...unreported.map((check) => ({
      ...common(check),
      status: 'other' as const,
      rawStatus: 'did not report',
      duration: 0,
      message: 'the check did not report',
      extra: { title: check.title, replay: replayId(check.id, started.seed) },
    })),
  ]
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const [name = 'conformance', version = ''] = started.suite.split(' ')
  const json = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    reportId: uuidOf(started.at, started.seed, started.gatewayUrl),
    timestamp: finished?.at ?? started.at,
    generatedBy: started.suite,
    results: {
      tool: { name, version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        suites: new Set(tests.map(({ suite }) => suite[0])).size,
        start,
        stop,
        extra: {
          verdict: summary.words,
          exitCode: finished?.code ?? summary.code,
          complete: isComplete(report),
          score,
        },
      },
      tests,
      environment: {
        appName: started.gatewayUrl,
        testEnvironment: started.target,
        extra: { seed: started.seed },
      },
    },
  }
  return `${JSON.stringify(json, null, 2)}\n`
}
