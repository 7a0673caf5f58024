import type { CheckFinished } from '../core/events.ts'
import { withoutEvidence } from '../core/lazyEvidence.ts'
import { replayId } from '../core/replayId.ts'
import { profiles } from '../register/profiles.ts'
import { isComplete, type Report } from './report.ts'
import { reportVersion } from './reportSchema.ts'
import { structuralDiff } from './structuralDiff.ts'

/**
 * The whole result as JSON, versioned, described by `reportSchema`. Evidence of passed checks stays
 * in the event log.
 */
export function jsonReport(report: Report): string {
  const { started, finished, results, summary, score, coverage, matrix } = report
  const { unreported, groups, outages } = report
  const json = {
    reportVersion,
    complete: isComplete(report),
    suite: started.suite,
    seed: started.seed,
    target: { name: started.target, gatewayUrl: started.gatewayUrl },
    startedAt: started.at,
    finishedAt: finished?.at ?? null,
    capabilities: started.capabilities,
    missing: started.missing,
    ...(started.blockMs === undefined ? {} : { blockMs: started.blockMs }),
    exitCode: finished?.code ?? summary.code,
    verdict: summary.words,
    claim: {
      profiles: started.profiles ?? profiles,
      notClaimed: started.notClaimed ?? 0,
      waived: started.waived ?? {},
    },
    ...(finished?.load === undefined ? {} : { load: finished.load }),
    ...(finished?.bail === undefined ? {} : { bail: finished.bail }),
    summary,
    score,
    coverage,
    ...(matrix === undefined ? {} : { matrix }),
    outages,
    groups: groups.map(({ cause, results: some }) => ({
      cause,
      count: some.length,
      checks: some.map(({ id }) => id),
    })),
    checks: results.map((whole) =>
      checkJson(whole.verdict === 'failed' ? whole : withoutEvidence(whole), started.seed),
    ),
    unreported: unreported.map(({ id, title, section, clauses, level, own }) => ({
      id,
      title,
      section,
      clauses,
      level,
      ...(own === undefined ? {} : { own }),
    })),
  }
  return `${JSON.stringify(json, null, 2)}\n`
}

const checkJson = ({ type: _, ...result }: CheckFinished, seed: string) => ({
  ...result,
  replay: replayId(result.id, seed),
  ...(result.expected === undefined || result.observed === undefined
    ? {}
    : { difference: structuralDiff(result.expected, result.observed) }),
})
