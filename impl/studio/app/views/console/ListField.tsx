import type { ComponentChildren } from 'preact'
import { Button } from '../../ui/Button.tsx'
import type { FieldProps } from './fieldProps.ts'
import { emptyOf, type Schema } from './schema.ts'

/** A list of values, each with its own control. */
export function ListField(
  props: Omit<FieldProps, 'schema'> & {
    readonly items: Schema
    readonly label: string
    readonly renderElement: (
      element: Pick<FieldProps, 'name' | 'path' | 'value' | 'onChange'>,
    ) => ComponentChildren
  },
) {
  const { name, path, label, items, value, onChange, components, problems, required } = props
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  const error = problems.get(path)
  return (
    <fieldset class="fields">
      <legend>{label}</legend>
      {error === undefined ? null : <span class="error">{error}</span>}
      {values.map((each, index) => (
        <div key={index} class="row element">
          <div class="grow">
            {props.renderElement({
              name: `${name} ${index + 1}`,
              path: `${path}.${index}`,
              value: each,
              onChange: (next) => onChange(values.map((old, at) => (at === index ? next : old))),
            })}
          </div>
          <Button
            small
            label={`Remove ${name} ${index + 1}`}
            onPress={() => onChange(shorter(values, index, required))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button small onPress={() => onChange([...values, emptyOf(items, components)])}>
          Add to {name}
        </Button>
      </div>
    </fieldset>
  )
}

/** An optional list without elements is absent. */
function shorter(values: readonly unknown[], index: number, required: boolean): unknown {
  const left = values.filter((_, at) => at !== index)
  return left.length === 0 && !required ? undefined : left
}
