import type { LintRule } from './lintRule.ts'

const indented = (modules: readonly string[]): string =>
  modules
    .flatMap((text, i) => (i === 0 ? [text] : ['', text]))
    .join('\n')
    .replace(/^(?=.)/gm, '    ')

/** The page of a rule: why it exists, what it finds, what to write instead, how to turn it off. */
export const explainRule = ({ id, title, why, bad, good }: LintRule): string =>
  `${id}: ${title}

${why.replaceAll('\n', ' ')}

Finds:

${indented(bad)}

Instead:

${indented(good)}

To turn it off for a line, write above it or at its end:

    # lint:ignore ${id}: the reason

For a file: # lint:ignore-file ${id}: the reason
`
