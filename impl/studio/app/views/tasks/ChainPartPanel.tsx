import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { rangeText } from '../../ui/rangeText.ts'
import { Time } from '../../ui/Time.tsx'
import type { ChainPart } from './chainParts.ts'

/** An event on chain, and how exactly its time is known. */
export function ChainPartPanel(props: { readonly part: ChainPart; readonly onClose: () => void }) {
  const { name, start, within, event } = props.part
  return (
    <section class="panel stack" aria-label={`Part ${name}`}>
      <div class="row">
        <h2 class="grow">{name}</h2>
        <Button small onPress={props.onClose}>
          Close
        </Button>
      </div>
      <dl class="task-facts">
        <div>
          <dt>Happened after</dt>
          <dd>{rangeText(start, start + within)}</dd>
        </div>
        <div>
          <dt>Time of the block</dt>
          <dd>{event.at === null ? '–' : <Time at={event.at} />}</dd>
        </div>
        <div>
          <dt>Block</dt>
          <dd>
            <a href={hashOf('chain', ['block', String(event.block)])}>{event.block}</a>
          </dd>
        </div>
        <div>
          <dt>Transaction</dt>
          <dd>
            <Hex value={event.transaction} href={hashOf('chain', ['tx', event.transaction])} />
          </dd>
        </div>
        {Object.entries(event.facts).map(([fact, value]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{value.startsWith('0x') ? <Address value={value} /> : value}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        Blocks have whole seconds: the moment within that second is not known. The bar is where it
        may be; later than the axis, it is at its end.
      </p>
    </section>
  )
}
