import type { TaskSpan } from 'polgate-protocol/control/taskTrace.ts'
import { Address } from '../../names/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { durationText } from '../../ui/Time.tsx'
import { ExchangePanel } from './ExchangePanel.tsx'

const longest = 60

/** One part of a task: its facts, its error, its HTTP exchange. */
export function SpanPanel(props: { readonly span: TaskSpan; readonly onClose: () => void }) {
  const { name, operator, start, duration, error, facts = {}, exchange } = props.span
  return (
    <section class="panel stack" aria-label={`Part ${name}`}>
      <div class="row">
        <h2 class="grow">{name}</h2>
        <Button small onPress={props.onClose}>
          Close
        </Button>
      </div>
      {error === undefined ? null : <Notice tone="bad">{error}</Notice>}
      <dl class="task-facts">
        {operator === undefined ? null : (
          <div>
            <dt>Operator</dt>
            <dd>
              <Address value={operator} />
            </dd>
          </div>
        )}
        <div>
          <dt>Began after</dt>
          <dd>{durationText(start)}</dd>
        </div>
        <div>
          <dt>Took</dt>
          <dd>{duration === null ? <Badge>running</Badge> : durationText(duration)}</dd>
        </div>
        {Object.entries(facts).map(([fact, value]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>
              {String(value).length > longest && !/\s/.test(String(value)) ? (
                <Hex value={String(value)} />
              ) : (
                <code>{value}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {exchange === undefined ? null : <ExchangePanel exchange={exchange} />}
    </section>
  )
}
