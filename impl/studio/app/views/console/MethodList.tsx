import { SelectField } from '../../ui/Field.tsx'

export type MethodEntry = { readonly id: string; readonly text: string }

/** What can be called: a list beside the form, a choice above it on a phone. */
export const MethodList = (props: {
  readonly label: string
  readonly entries: readonly MethodEntry[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}) => (
  <div class="methods">
    <div class="narrow">
      <SelectField
        label={props.label}
        value={props.chosen}
        options={props.entries.map(({ id, text }) => ({ value: id, text }))}
        onChange={props.onChoose}
      />
    </div>
    <ul class="wide" aria-label={`${props.label}s`}>
      {props.entries.map(({ id, text }) => (
        <li key={id}>
          <button
            type="button"
            aria-current={id === props.chosen ? 'true' : undefined}
            onClick={() => props.onChoose(id)}
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  </div>
)
