import type { ShownEvaluation } from 'polgate-protocol/control/taskTrace.ts'
import { type SourceLine, sourceLines } from './sourceLines.ts'

const marks: Readonly<Record<SourceLine['state'], string>> = {
  held: 'held',
  ended: 'ended here',
  reached: '',
  unreached: 'not reached',
  plain: '',
}

const longestValue = 120

/** The source of a policy, with the lines that decided and the values at which rules ended. */
export const PolicySource = ({ evaluation }: { readonly evaluation: ShownEvaluation }) => (
  <div
    class="task-source"
    tabIndex={0}
    role="region"
    aria-label={`Source of ${evaluation.entrypoint}`}
  >
    <ol>
      {sourceLines(evaluation).map(({ row, text, state, failures }) => (
        <li key={row} class={state}>
          <span class="row-number" aria-hidden="true">
            {row}
          </span>
          <code>{text === '' ? ' ' : text}</code>
          {marks[state] === '' ? null : <span class="mark">{marks[state]}</span>}
          {state === 'ended'
            ? failures.map((failure, at) => (
                <span key={at} class="values">
                  {failure.count > 1 ? `${failure.count} times, last with ` : ''}
                  {failure.values
                    .map(
                      (each) =>
                        `${each.text.replace(/\s+/g, ' ')} = ${each.value?.slice(0, longestValue) ?? 'undefined'}`,
                    )
                    .join(', ')}
                </span>
              ))
            : null}
        </li>
      ))}
    </ol>
  </div>
)
