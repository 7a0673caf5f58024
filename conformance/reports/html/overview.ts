import { certifies } from '../../core/verdict.ts'
import { grouped } from '../groups.ts'
import { highLoadText, loadText } from '../loadText.ts'
import { normalised } from '../normalised.ts'
import { ownText } from '../ownText.ts'
import { clausesText, profileRows } from '../profileText.ts'
import { isComplete, matrixText, type Report } from '../report.ts'
import { escaped } from './escape.ts'

/** The verdict, and its reason. */
export function banner(report: Report): string {
  const { summary } = report
  const { verdict, words, code } = summary
  const kind = certifies(verdict) ? 'good' : code === 1 ? 'bad' : 'unsure'
  const reason = summary.reason === undefined ? '' : escaped(summary.reason)
  const cut = isComplete(report) ? '' : '<br>This run did not finish.'
  return `<div class="banner ${kind}"><strong>${escaped(words)}</strong>${reason}${cut}</div>`
}

/** Numbers of checks by verdict. */
export function tiles(report: Report): string {
  const { summary, score, unreported } = report
  const { must, should, may } = summary.failed
  const tile = (colour: string, value: string | number, text: string) =>
    `<li class="${colour}"><b>${value}</b><span>${text}</span></li>`
  const failed = must + should + may
  return `<ul class="tiles">${[
    tile(
      failed > 0 ? 'red' : '',
      failed,
      failed === must ? 'failed' : `failed: ${must} must, ${should} should, ${may} may`,
    ),
    tile(summary.untestable > 0 ? 'amber' : '', summary.untestable, 'untestable'),
    tile('', summary.notApplicable, 'not applicable'),
    ...(unreported.length > 0 ? [tile('amber', unreported.length, 'did not report')] : []),
    tile('green', summary.passed, 'passed'),
    tile('', `${score.provable} of ${score.planned}`, 'provable maximum'),
    tile('', `${score.proven} of ${score.provable}`, 'score'),
  ].join('')}</ul>`
}

/** What the run proved of what it could have proven. */
export function scoreBar({ score, summary }: Report): string {
  const { must, should, may } = summary.failed
  const width = (n: number) => (score.planned === 0 ? 0 : Math.round((n / score.planned) * 1000))
  const label = `${score.proven} proven of ${score.provable} provable, of ${score.planned} checks`
  return `<svg class="score" viewBox="0 0 1000 14" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title><rect class="none" width="1000" height="14"/><rect class="provable" width="${width(score.provable)}" height="14"/><rect class="wrong" width="${width(score.proven + must + should + may)}" height="14"/><rect class="proven" width="${width(score.proven)}" height="14"/></svg>`
}

/** What the target lacks, one row for a reason: a client of each fixture is missing for the same one. */
function lackRows(missing: Readonly<Record<string, string>>) {
  const groups = grouped(Object.entries(missing), ([need, why]) =>
    // `client:allow-list` is named without its kind.
    normalised(why, need.split(':').at(-1)),
  )
  return [...groups.values()].map((group) => {
    const [[first, why]] = group as [(typeof group)[number]]
    const names = group.map(([need]) => need)
    return group.length === 1
      ? ([`Lacks ${first}`, why] as const)
      : ([`Lacks ${names.length}`, `${names.join(', ')}: ${why}`] as const)
  })
}

/** Target, seed, time and other facts of the run. */
export function facts(report: Report): string {
  const { started, finished, matrix } = report
  const own = ownText(report)
  const rows: readonly (readonly [string, string])[] = [
    ['Target', started.gatewayUrl],
    ['Seed', started.seed],
    ['Suite', started.suite],
    ...(own === undefined ? [] : ([['Own checks', own]] as const)),
    ['Started', started.at],
    ['Took', finished === undefined ? 'did not finish' : `${(finished.ms / 1000).toFixed(1)} s`],
    ...(finished?.load === undefined
      ? []
      : ([
          ['Load of the machine', highLoadText(finished.load) ?? loadText(finished.load)],
        ] as const)),
    ...(started.blockMs === undefined || started.blockMs < 1000
      ? []
      : [['Block time', `${(started.blockMs / 1000).toFixed(1)} s`] as const]),
    ['Clauses', clausesText(report)],
    ...profileRows(report),
    ...(matrix === undefined ? [] : [['Matrix', matrixText(matrix)] as const]),
    ...lackRows(started.missing),
  ]
  return `<dl class="facts">${rows.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`
}
