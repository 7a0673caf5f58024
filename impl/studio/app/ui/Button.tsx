import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** A button; while the promise of its action is pending it is busy and cannot be pressed again. */
export function Button(props: {
  readonly children: ComponentChildren
  readonly onPress?: (() => unknown) | undefined
  readonly kind?: 'primary' | 'danger' | undefined
  readonly small?: boolean | undefined
  readonly disabled?: boolean | undefined
  readonly submit?: boolean | undefined
  /** Shown as a tooltip, for instance why it is disabled. */
  readonly title?: string | undefined
  readonly label?: string | undefined
}) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    const pending = props.onPress?.()
    if (!(pending instanceof Promise)) return
    setBusy(true)
    await pending.catch(() => {})
    setBusy(false)
  }
  return (
    <button
      type={props.submit === true ? 'submit' : 'button'}
      class={`button ${props.kind ?? ''} ${props.small === true ? 'small' : ''}`}
      disabled={props.disabled === true || busy}
      aria-busy={busy}
      aria-label={props.label}
      title={props.title}
      onClick={props.onPress === undefined ? undefined : press}
    >
      {props.children}
    </button>
  )
}
