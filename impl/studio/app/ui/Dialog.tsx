import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './Button.tsx'

/** A modal dialog; Escape closes it, and the focus returns to where it was. */
export function Dialog(props: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    element.current?.showModal()
  }, [])
  return (
    <dialog ref={element} aria-labelledby={id} onClose={props.onClose}>
      <div class="stack">
        <div class="row">
          <h2 id={id} class="grow">
            {props.title}
          </h2>
          <Button small onPress={() => element.current?.close()}>
            Close
          </Button>
        </div>
        {props.children}
      </div>
    </dialog>
  )
}
