import type { ComponentChildren } from 'preact'
import './policies.css'

/** Names with their values; what is null is left out. */
export const Facts = (props: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[]
}) => (
  <dl class="facts">
    {props.facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
