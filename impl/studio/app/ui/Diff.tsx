import { type Difference, pathText } from 'polgate-lib/view/typedDiff.ts'
import { Badge } from './Badge.tsx'

const longest = 300

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, longest) ?? ''

const words = {
  missing: 'missing',
  extra: 'additional',
  type: 'other type',
  value: 'other value',
} as const

/** Where two JSON values differ, a line for each place. */
export const Diff = (props: {
  readonly label: string
  /** What the two sides are called. */
  readonly sides: readonly [expected: string, observed: string]
  readonly differences: readonly Difference[]
}) => (
  <div class="table-scroll" tabIndex={0} role="region" aria-label={props.label}>
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">Difference</th>
          <th scope="col">{props.sides[0]}</th>
          <th scope="col">{props.sides[1]}</th>
        </tr>
      </thead>
      <tbody>
        {props.differences.map((each) => (
          <tr key={pathText(each.path)}>
            <td data-label="Place">
              <code>{pathText(each.path)}</code>
            </td>
            <td data-label="Difference">
              <Badge tone="warn">{words[each.kind]}</Badge>
            </td>
            <td data-label={props.sides[0]}>
              <code>{'expected' in each ? shown(each.expected) : '–'}</code>
            </td>
            <td data-label={props.sides[1]}>
              <code>{'observed' in each ? shown(each.observed) : '–'}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
