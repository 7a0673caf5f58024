import { counted } from 'polgate-lib/text/counted.ts'
import { type Difference, jsonType, pathText } from 'polgate-lib/view/typedDiff.ts'
import { readableDiff, readablePairOf, readableValue } from '../readableText.ts'
import { jsonDifferences } from '../structuralDiff.ts'
import { escaped } from './escape.ts'

/** Differences shown; the rest is counted. */
const mostShown = 16

const sides = { expected: 'was', observed: 'is' } as const

const line = (side: keyof typeof sides, text: string): string =>
  `<tr class="${sides[side]}"><th scope="row">${side}</th><td>${escaped(text)}</td></tr>`

/** What is wrong with a member, in words. */
function wordsOf(difference: Difference): string {
  switch (difference.kind) {
    case 'missing':
      return 'is missing'
    case 'extra':
      return 'is not expected'
    case 'type':
      return `has the wrong type: ${jsonType(difference.observed)} instead of ${jsonType(difference.expected)}`
    default:
      return 'has the wrong value'
  }
}

function linesOf(difference: Difference): string {
  if (difference.kind === 'missing')
    return line('expected', readableValue(JSON.stringify(difference.expected)))
  if (difference.kind === 'extra')
    return line('observed', readableValue(JSON.stringify(difference.observed)))
  const [expected, observed] = readablePairOf(
    JSON.stringify(difference.expected),
    JSON.stringify(difference.observed),
  )
  return line('expected', expected) + line('observed', observed)
}

const part = (difference: Difference): string =>
  `<tbody><tr><th colspan="2" scope="rowgroup"><b>${escaped(pathText(difference.path))}</b> ${wordsOf(difference)}</th></tr>${linesOf(difference)}</tbody>`

/**
 * Expected against observed as a table: of two JSON values each member that differs, with its path and
 * how it differs; of anything else the two texts.
 */
export function differenceTable(expected: string, observed: string): string {
  const differences = jsonDifferences(expected, observed) ?? []
  if (differences.length === 0) {
    const words = { '-': 'expected', '+': 'observed' } as const
    const lines = readableDiff(expected, observed).map(({ sign, text }) =>
      sign === ' ' ? `<tr><td colspan="2">${escaped(text)}</td></tr>` : line(words[sign], text),
    )
    return `<table class="diff"><tbody>${lines.join('')}</tbody></table>`
  }
  const rest = differences.length - mostShown
  const more =
    rest > 0
      ? `<tbody><tr><td colspan="2">and ${counted(rest, 'more difference')}</td></tr></tbody>`
      : ''
  return `<table class="diff">${differences.slice(0, mostShown).map(part).join('')}${more}</table>`
}
