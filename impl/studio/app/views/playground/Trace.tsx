import type { TracedRule } from '../../../playground/evaluation.ts'
import { RuleBadge } from '../../rules/RuleBadge.tsx'
import { ruleOutcome } from '../../rules/ruleOutcome.ts'
import { valuesText } from '../../rules/valuesText.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Empty } from '../../ui/Notice.tsx'

/** Levels that are shown open. */
const openLevels = 2
/** Deeper ones are left out: rules may depend on each other many times over. */
const mostLevels = 12

/** For each definition of a rule whether it held, and which expressions did not, with their values. */
export const Trace = ({ rules }: { readonly rules: readonly TracedRule[] }) =>
  rules.length === 0 ? (
    <Empty>No rule was evaluated.</Empty>
  ) : (
    <div class="trace stack" tabIndex={0} role="group" aria-label="Trace">
      {rules.map((rule) => (
        <Rule key={rule.name} rule={rule} level={0} />
      ))}
    </div>
  )

const Rule = ({ rule, level }: { readonly rule: TracedRule; readonly level: number }) => (
  <details open={level < openLevels}>
    <summary>
      <code>{rule.name}</code> {rule.isDefault ? <Badge>default</Badge> : null}
    </summary>
    <ul>
      {rule.definitions.map(({ text, row, held, failures }) => (
        <li key={`${row} ${text}`}>
          <RuleBadge outcome={ruleOutcome({ held, failures })} />{' '}
          <span class="muted">line {row}</span> <code>{text}</code>
          {failures.length === 0 ? null : (
            <ul>
              {failures.map((failure) => (
                <li key={`${failure.row} ${failure.text}`}>
                  <RuleBadge outcome="did not hold" /> <span class="muted">line {failure.row}</span>{' '}
                  <code>{failure.text}</code>
                  {failure.count > 1 ? <span class="muted"> {failure.count} times</span> : null}
                  {failure.values.length === 0 ? null : (
                    <div>
                      <code>{valuesText(failure.values)}</code>
                    </div>
                  )}
                  {level >= mostLevels
                    ? null
                    : failure.because.map((each) => (
                        <Rule key={each.name} rule={each} level={level + 1} />
                      ))}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  </details>
)
