import type { Failure, RuleExplanation } from 'polgate-rego/report/explain.ts'
import { display } from 'polgate-rego/values/display.ts'
import type { Value } from 'polgate-rego/values/value.ts'
import { colours } from '../colours.ts'

const MAX_VALUE = 200

function shown(value: Value | undefined): string {
  if (value === undefined) return 'undefined'
  const text = display(value)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)} ...` : text
}

/** Explanations of rules as an indented list. */
export function explanationLines(
  rules: readonly RuleExplanation[],
  stream: { readonly isTTY?: boolean | undefined },
  indent = '',
): readonly string[] {
  const { bold, dim, green, red } = colours(stream)
  return rules.flatMap(({ name, isDefault, definitions }) => [
    `${indent}${bold(name)}${isDefault ? dim(' has its default value') : ''}`,
    ...definitions.flatMap(({ text, location, held, failures }) => {
      const place = dim(`${location.file}:${location.row}`)
      const mark = held ? green('held  ') : red('failed')
      return [
        `${indent}  ${mark} ${text} ${place}`,
        ...(held ? [] : failures.slice(0, 2)).flatMap((failure) =>
          failureLines(failure, stream, `${indent}    `),
        ),
      ]
    }),
  ])
}

/** A failed expression, its values, and the explanations of the rules it refers to. */
export function failureLines(
  { text, location, count, values, because }: Failure,
  stream: { readonly isTTY?: boolean | undefined },
  indent = '',
): readonly string[] {
  const { dim, red, cyan } = colours(stream)
  const times = count > 1 ? dim(` (${count} times, last with)`) : ''
  const expression = text.replace(/\s+/g, ' ')
  return [
    `${indent}${red('✗')} ${expression} ${dim(`${location.file}:${location.row}`)}${times}`,
    ...values.map(
      (each) =>
        `${indent}    ${each.text.replace(/\s+/g, ' ')} ${dim('=')} ${cyan(shown(each.value))}`,
    ),
    ...explanationLines(because, stream, `${indent}    `),
  ]
}
