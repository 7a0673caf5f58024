import type { Check } from '../core/check.ts'

type CitingCheck = Pick<Check, 'id' | 'clauses'>

/** The first line of a clause, and the further ones. */
const firstLine = /^\s*\/\/ \d+(?:\.\d+)?-\d+: /
const furtherLine = /^\s*\/\/ {3}\S/
const width = 100
/** Rows of a table that are as near as this and test the same clauses have the text above the first. */
const nearLines = 8

/** The checks of each file: one may have several lists, which run at different times. */
export function byFile<Item>(
  lists: readonly (readonly [file: string, checks: readonly Item[]])[],
): ReadonlyMap<string, readonly Item[]> {
  const all = new Map<string, readonly Item[]>()
  for (const [file, checks] of lists) all.set(file, [...(all.get(file) ?? []), ...checks])
  return all
}

/**
 * The source of checks with the text of their clauses above the id of each.
 *
 * @param textOf the text of a clause by its id
 */
export function withClauseComments(
  source: string,
  checks: readonly CitingCheck[],
  textOf: (clause: string) => string,
): string {
  const lines = withoutClauseComments(source.split('\n'))
  const placed = checks
    .map(({ id, clauses }) => ({
      at: lines.findIndex((line) => line.includes(`'${id}'`)),
      clauses,
    }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
  const above = new Map<number, readonly string[]>()
  let before: (typeof placed)[number] | undefined
  for (const each of placed) {
    const same = before !== undefined && String(before.clauses) === String(each.clauses)
    if (!same || each.at - before!.at > nearLines) {
      const indentation = /^\s*/.exec(lines[each.at]!)![0]
      const texts = each.clauses.flatMap((clause) =>
        wrapped(`${clause}: ${textOf(clause)}`, indentation),
      )
      above.set(each.at, [...(above.get(each.at) ?? []), ...texts])
    }
    before = each
  }
  return lines.flatMap((line, at) => [...(above.get(at) ?? []), line]).join('\n')
}

function withoutClauseComments(lines: readonly string[]): string[] {
  let inside = false
  return lines.filter((line) => {
    inside = firstLine.test(line) || (inside && furtherLine.test(line))
    return !inside
  })
}

function wrapped(text: string, indentation: string): string[] {
  const lines: string[] = []
  let line = `${indentation}//`
  for (const word of text.split(/\s+/)) {
    if (line.length + 1 + word.length > width && line.trim() !== '//') {
      lines.push(line)
      line = `${indentation}//  `
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
