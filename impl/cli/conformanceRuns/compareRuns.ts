import type { Change } from 'polgate-conformance/reports/comparison.ts'
import type {
  ConformanceChange,
  ConformanceComparison,
} from 'polgate-protocol/control/conformance.ts'
import type { LoggedResult } from './runLog.ts'

/** Compares two runs as `polgate compare` does. */
export async function compareRuns(
  before: readonly LoggedResult[],
  after: readonly LoggedResult[],
): Promise<ConformanceComparison> {
  const { compareReports } = await import('polgate-conformance/reports/comparison.ts')
  const compared = compareReports({ results: before }, { results: after })
  return {
    broken: compared.newFailures.map(shown),
    fixed: compared.fixed.map(shown),
    stillFailing: compared.stillFailing.map(shown),
    newlyUntested: compared.newlyUntested.map(shown),
    newlyTested: compared.newlyTested.map(shown),
    same: compared.unchanged,
  }
}

const shown = ({ id, section, level, before, after, reason }: Change): ConformanceChange => ({
  ...{ id, section, level },
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
  ...(reason === undefined ? {} : { reason }),
})
