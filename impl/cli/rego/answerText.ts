import type { Row } from 'polgate-rego/engine.ts'
import { answerJson, indentJson } from 'polgate-rego/report/answer.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import type { Value } from 'polgate-rego/values/value.ts'

/** How a result is printed; `discard` says only that there is one. */
export type AnswerFormat = 'json' | 'pretty' | 'values' | 'bindings' | 'raw' | 'discard'

/** A result in a format of `opa eval` for programs; sections are part of JSON alone. */
export function answerText(
  format: Exclude<AnswerFormat, 'pretty'>,
  rows: readonly Row[],
  sections: Readonly<Record<string, Value>>,
): string {
  switch (format) {
    case 'json':
      return answerJson(rows, sections)
    case 'discard':
      return answerJson([], rows.length === 0 ? sections : { ...sections, result: 'discarded' })
    case 'values':
      return rows
        .map(({ expressions }) =>
          indentJson(`[${expressions.map(({ value }) => stringify(value)).join()}]`),
        )
        .join('\n')
    case 'bindings':
      return rows.map(({ bindings }) => indentJson(stringify(RegoObject.from(bindings)))).join('\n')
    case 'raw':
      return rows
        .map(({ expressions }) => expressions.map(({ value }) => rawText(value)).join(' '))
        .join('\n')
  }
}

const rawText = (value: Value): string => (typeof value === 'string' ? value : stringify(value))
