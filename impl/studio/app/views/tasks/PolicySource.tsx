import type { ShownEvaluation } from 'polgate-protocol/control/taskTrace.ts'
import { valuesText } from '../../rules/valuesText.ts'
import { sourceLines } from './sourceLines.ts'

/** The source of a policy, with the lines that decided and the values with which expressions did not hold. */
export const PolicySource = ({ evaluation }: { readonly evaluation: ShownEvaluation }) => (
  <div class="task-source" role="region" aria-label={`Source of ${evaluation.entrypoint}`}>
    <ol>
      {sourceLines(evaluation).map(({ row, text, outcome, decides, failures }) => (
        <li key={row} class={`${outcome?.replaceAll(' ', '-') ?? ''} ${decides ? 'decides' : ''}`}>
          <span class="row-number" aria-hidden="true">
            {row}
          </span>
          <code>{text === '' ? ' ' : text}</code>
          {outcome === undefined || outcome === 'reached' ? null : (
            <span class="mark">{outcome}</span>
          )}
          {failures.map(({ count, values }, at) =>
            values.length === 0 ? null : (
              <span key={at} class="values">
                {count > 1 ? `${count} times, last with ` : ''}
                {valuesText(values)}
              </span>
            ),
          )}
        </li>
      ))}
    </ol>
  </div>
)
