import type { ComponentChildren } from 'preact'

export type Tone = 'good' | 'bad' | 'warn' | 'neutral'

/** A short state, such as a task's. Its text says what its colour shows. */
export const Badge = (props: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${props.tone ?? 'neutral'}`}>{props.children}</span>
)
