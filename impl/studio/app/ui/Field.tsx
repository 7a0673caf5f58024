import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A labelled control with its help and error, which it is described by. */
export function Field(props: {
  readonly label: string
  readonly help?: string | undefined
  readonly error?: string | undefined
  readonly children: (attributes: {
    readonly id: string
    readonly 'aria-describedby': string
    readonly 'aria-invalid': boolean
  }) => ComponentChildren
}) {
  const id = useId()
  return (
    <div class="field">
      <label class="label" for={id}>
        {props.label}
      </label>
      {props.children({
        id,
        'aria-describedby': `${id}-about`,
        'aria-invalid': props.error !== undefined,
      })}
      <div id={`${id}-about`}>
        {props.error === undefined ? null : <span class="error">{props.error}</span>}
        {props.help === undefined ? null : <span class="muted">{props.help}</span>}
      </div>
    </div>
  )
}

/** A line of text. */
export const TextField = (props: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly help?: string | undefined
  readonly error?: string | undefined
  readonly placeholder?: string | undefined
  readonly type?: 'text' | 'number' | 'password' | 'datetime-local' | undefined
  readonly disabled?: boolean | undefined
}) => (
  <Field label={props.label} help={props.help} error={props.error}>
    {(attributes) => (
      <input
        {...attributes}
        type={(props.type ?? 'text') as 'text'}
        value={props.value}
        placeholder={props.placeholder}
        disabled={props.disabled}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
    )}
  </Field>
)

/** One of several values. */
export const SelectField = (props: {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly onChange: (value: string) => void
  readonly help?: string | undefined
  readonly disabled?: boolean | undefined
}) => (
  <Field label={props.label} help={props.help}>
    {(attributes) => (
      <select
        {...attributes}
        value={props.value}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {props.options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** Several lines, such as JSON. */
export const TextAreaField = (props: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows?: number | undefined
  readonly help?: string | undefined
  readonly error?: string | undefined
  readonly disabled?: boolean | undefined
}) => (
  <Field label={props.label} help={props.help} error={props.error}>
    {(attributes) => (
      <textarea
        {...attributes}
        rows={props.rows ?? 6}
        value={props.value}
        disabled={props.disabled}
        spellcheck={false}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
    )}
  </Field>
)
