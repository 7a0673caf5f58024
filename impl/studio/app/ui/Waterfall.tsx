import { type WaterfallItem, type WaterfallRow, waterfall } from 'polgate-lib/view/waterfall.ts'
import type { Tone } from './Badge.tsx'
import { rangeText } from './rangeText.ts'
import { durationText } from './Time.tsx'

export type WaterfallPart = WaterfallItem & {
  readonly name: string
  /** Whose it is, such as an operator. */
  readonly owner?: string | undefined
  readonly tone?: Tone | undefined
}

/** Parts of some work on a time axis, each of which can be selected. */
export function Waterfall(props: {
  readonly label: string
  readonly parts: readonly WaterfallPart[]
  /** Milliseconds on the clock of the parts, until which open ones are drawn. */
  readonly now?: number | undefined
  readonly selected?: string | undefined
  readonly onSelect: (id: string) => void
}) {
  const { parts, now, selected } = props
  const { rows, ticks } = waterfall(parts, now === undefined ? {} : { now })
  return (
    <div class="waterfall" role="group" aria-label={props.label}>
      <div class="waterfall-axis muted" aria-hidden="true">
        <span />
        <span class="waterfall-line">
          {ticks.map(({ after, left }) => (
            <span key={after} style={{ left: `${left * 100}%` }}>
              {after === 0 ? '0' : durationText(after)}
            </span>
          ))}
        </span>
        <span />
      </div>
      <ul>
        {rows.map(({ item, depth, left, width, shape, after }) => (
          <li key={item.id}>
            <button
              type="button"
              aria-pressed={item.id === selected}
              onClick={() => props.onSelect(item.id)}
            >
              <span class="waterfall-name" style={{ paddingLeft: `${Math.min(depth, 6) * 12}px` }}>
                {item.name}
                {item.owner === undefined ? null : <span class="muted"> {item.owner}</span>}
              </span>
              <span class="waterfall-line">
                <span
                  class={`waterfall-bar ${item.tone ?? 'neutral'} ${shape}`}
                  style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
                />
              </span>
              <span class="waterfall-time">
                {timeText(item, shape, after)}
                {item.tone === 'bad' ? <span class="visually-hidden"> failed</span> : null}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** How long it took, or when it happened. */
function timeText(
  { start, end, within = 0 }: WaterfallPart,
  shape: WaterfallRow<WaterfallPart>['shape'],
  after: number,
): string {
  if (shape === 'open') return 'running'
  if (shape === 'done') return durationText((end ?? start) - start)
  if (shape === 'event') return durationText(after)
  return `at ${rangeText(after, after + within)}`
}
