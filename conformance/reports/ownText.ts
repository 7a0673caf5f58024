import { counted } from 'polgate-lib/text/counted.ts'
import type { Report } from './report.ts'

/** Files listed by name; the rest is counted. */
const mostFiles = 10

/** The checks of the gateway itself that a run had, in one line; undefined where it had none. */
export function ownText({ started, summary }: Report): string | undefined {
  const { own } = summary
  if (own === undefined) return undefined
  const { must, should, may } = own.failed
  const counts = [
    `${own.passed} of ${own.total} passed`,
    ...(must + should + may > 0 ? [`${must} must, ${should} should, ${may} may failed`] : []),
    ...(own.untestable > 0 ? [`${own.untestable} untestable`] : []),
    ...(own.notApplicable > 0 ? [`${own.notApplicable} not applicable`] : []),
  ]
  const files = [...new Set(started.checks.flatMap((check) => check.own?.file ?? []))].sort()
  const more =
    files.length > mostFiles ? ` and ${counted(files.length - mostFiles, 'more file')}` : ''
  return `${counts.join(', ')}; they prove no clause (${files.slice(0, mostFiles).join(', ')}${more})`
}
