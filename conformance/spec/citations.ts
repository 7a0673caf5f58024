/** A citation of a section, a decision or a clause in a file. */
export type Citation = {
  readonly kind: 'section' | 'decision' | 'decision section' | 'clause'
  readonly id: string
  readonly line: number
}

/** What the pages of this folder define. */
export type CitationTargets = {
  readonly sections: ReadonlySet<string>
  readonly decisions: ReadonlySet<string>
  readonly decisionSections: ReadonlySet<string>
  readonly clauses: ReadonlySet<string>
}

/** A space, or a line break within a comment. */
const gap = '(?:\\s|\\n\\s*(?:\\*|//|#)\\s*)+'
const separator = `(?:,?${gap}(?:and|or|to)${gap}|,${gap})`
/** Not the start of a clause id. */
const sectionNumber = '\\d+(?:\\.\\d+)*(?![-.\\d]*\\d)'
const decisionId = '[A-Z]\\d{1,2}'

const sectionPattern = new RegExp(
  `(RFC\\s*\\d+,?${gap}|decisions(?:\\.md)?,?${gap})?\\bsections?${gap}(${sectionNumber}(?:${separator}${sectionNumber})*)(${gap}of${gap}RFC)?`,
  'gi',
)
const decisionPattern = new RegExp(
  `\\b[Dd]ecisions?${gap}(${decisionId}(?:(?:${separator}|-)${decisionId})*)\\b`,
  'g',
)
const clausePattern = /(?<![\w./:-])(\d{1,2}(?:\.\d{1,2})?)-\d{2}(?![\w-]|\.\d)/g

/** Sections without subsections: `1-50` is a clause, `30-60` a range of numbers. */
const undividedSections = new Set(['1', '3', '8', '9'])

/** `O1 to O3` cites `O2` as well. */
function decisionRange(from: string, to: string): readonly string[] {
  const first = Number(from.slice(1))
  const count = Math.max(0, Number(to.slice(1)) - first - 1)
  return Array.from({ length: count }, (_, step) => `${from[0]}${first + 1 + step}`)
}

function decisionsOf(list: string): readonly string[] {
  const ids = list.match(new RegExp(decisionId, 'g')) ?? []
  const ranges = list.matchAll(
    new RegExp(`(${decisionId})(?:${gap}to${gap}|-)(${decisionId})`, 'g'),
  )
  return [...ids, ...[...ranges].flatMap(([, from, to]) => decisionRange(from!, to!))]
}

/** Every citation of the specification, the decisions and the clauses in a text. */
export function citationsIn(text: string): readonly Citation[] {
  const found: Citation[] = []
  const add = (kind: Citation['kind'], index: number, ids: readonly string[]) => {
    const line = text.slice(0, index).split('\n').length
    for (const id of ids) found.push({ kind, id, line })
  }
  for (const match of text.matchAll(sectionPattern)) {
    const [, document = '', list, ofRfc] = match
    if (/^RFC/i.test(document) || ofRfc !== undefined) continue
    const kind = /^decisions/i.test(document) ? 'decision section' : 'section'
    add(kind, match.index, list!.match(new RegExp(sectionNumber, 'g')) ?? [])
  }
  for (const match of text.matchAll(decisionPattern))
    add('decision', match.index, decisionsOf(match[1]!))
  for (const match of text.matchAll(clausePattern))
    if (match[1]!.includes('.') || undividedSections.has(match[1]!))
      add('clause', match.index, [match[0]])
  return found
}

function targetsOf(kind: Citation['kind'], targets: CitationTargets): ReadonlySet<string> {
  switch (kind) {
    case 'section':
      return targets.sections
    case 'decision':
      return targets.decisions
    case 'decision section':
      return targets.decisionSections
    case 'clause':
      return targets.clauses
  }
}

/** The citations that no page defines. */
export const unresolvedCitations = (text: string, targets: CitationTargets): readonly Citation[] =>
  citationsIn(text).filter(({ kind, id }) => !targetsOf(kind, targets).has(id))

const anchors = (page: string, pattern: RegExp): ReadonlySet<string> =>
  new Set([...page.matchAll(pattern)].map(([, id]) => id!))

/** The anchors of the pages: sections of service.md, decisions and their sections, clauses. */
export const citationTargets = (pages: {
  readonly service: string
  readonly decisions: string
  readonly clauses: string
}): CitationTargets => ({
  sections: anchors(pages.service, /^#{2,3} <a id="([\d.]+)">/gm),
  decisions: anchors(pages.decisions, /^### <a id="([A-Z]\d+)">/gm),
  decisionSections: anchors(pages.decisions, /^## (\d+)\. /gm),
  clauses: anchors(pages.clauses, /^\| <a id="([\d.]+-\d\d)">/gm),
})
