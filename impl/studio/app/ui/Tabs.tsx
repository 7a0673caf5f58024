import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export type Tab = {
  readonly id: string
  readonly title: string
  readonly content: () => ComponentChildren
}

/** Tabs with arrow keys; only the selected one is rendered. */
export function Tabs(props: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly selected: string
  readonly onSelect: (id: string) => void
}) {
  const base = useId()
  const { tabs, selected, onSelect } = props
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === selected),
  )
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = tabs[(at + step + tabs.length) % tabs.length]!
    onSelect(next.id)
    document.getElementById(`${base}-${next.id}`)?.focus()
  }
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={props.label} onKeyDown={move}>
        {tabs.map(({ id, title }, index) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={index === at}
            aria-controls={`${base}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${tabs[at]!.id}`}
        class="stack"
      >
        {tabs[at]!.content()}
      </div>
    </div>
  )
}
