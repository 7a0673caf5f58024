import type { Report } from './report.ts'

/** The whole result for a machine, with a version that a reader can refuse. */
export const jsonReport = (report: Report): string => {
  const { started, finished, results, summary, coverage } = report
  return `${JSON.stringify(
    {
      reportVersion: 1,
      complete: finished !== undefined && !finished.interrupted,
      suite: started.suite,
      seed: started.seed,
      target: { name: started.target, gatewayUrl: started.gatewayUrl },
      startedAt: started.at,
      finishedAt: finished?.at ?? null,
      capabilities: started.capabilities,
      missing: started.missing,
      exitCode: finished?.code ?? summary.code,
      summary,
      coverage,
      checks: results.map(({ type: _, ...rest }) => rest),
    },
    null,
    2,
  )}\n`
}
