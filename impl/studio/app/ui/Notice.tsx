import type { ComponentChildren } from 'preact'

/** A message in the page; errors are announced to screen readers. */
export const Notice = (props: {
  readonly tone?: 'bad' | 'warn' | undefined
  readonly children: ComponentChildren
}) => (
  <div class={`notice ${props.tone ?? ''}`} role={props.tone === 'bad' ? 'alert' : 'status'}>
    {props.children}
  </div>
)

/** An error with its hint; nothing without one. */
export function ErrorNotice({ error }: { readonly error: Error | undefined }) {
  if (error === undefined) return null
  const { hint } = error as { hint?: string }
  return (
    <Notice tone="bad">
      {error.message}
      {hint === undefined ? null : <div class="muted">{hint}</div>}
    </Notice>
  )
}

/** What a list shows that has no rows. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="empty">{children}</div>
)
