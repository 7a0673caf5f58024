import { isScript } from './cloneCommands.ts'
import type { Listed } from './listed.ts'
import type { PlannedLine } from './plannedLine.ts'
import { exitCodes, fills, untilReady, type Values } from './rows.ts'

/** Fills the placeholders of all commands but the scripts of the clone. */
export function plannedLines(
  listed: readonly Listed[],
  values: Values,
): {
  readonly lines: readonly PlannedLine[]
  readonly failures: readonly string[]
} {
  const used = new Set<number>()
  const byLine = new Map<string, string[]>()
  for (const { line, sources } of listed.filter((each) => !isScript(each.line))) {
    const filled = fills.reduce((text, { find, put }, at) => {
      if (text.search(find) === -1) return text
      used.add(at)
      return text.replaceAll(find, put(values))
    }, line)
    const from = `\`${line}\` (${sources.join(', ')})`
    byLine.set(filled, [...(byLine.get(filled) ?? []), from])
  }
  return {
    lines: [...byLine].map(([line, sources]) => ({
      ...{ line, sources },
      of: /(^|[\s='])(scripts|fixtures)\//.test(line)
        ? ('clone files' as const)
        : ('user' as const),
      code: exitCodes.find(({ find }) => find.test(line))?.code ?? 0,
      ready: untilReady.find(({ find }) => find.test(line))?.ready,
    })),
    failures: [
      ...fills
        .filter((_, at) => !used.has(at))
        .map(({ find, why }) => `the row ${find} (${why}) fills nothing`),
      ...[...exitCodes, ...untilReady]
        .filter(({ find }) => ![...byLine.keys()].some((line) => find.test(line)))
        .map(({ find }) => `the row ${find} is of no command`),
    ],
  }
}

/**
 * Lines that start services or certify, scripts of the clone, and what `polgate-conformance` does as
 * `polgate` does.
 */
export const isSlow = ({ line, of }: PlannedLine): boolean =>
  of !== 'user' ||
  /\bpolgate(-conformance)? (start|serve|operator|indexer|snapshot|certify|run|record|replay|diff|doctor|init)\b|npm install|--target|^polgate-conformance/.test(
    line,
  )
