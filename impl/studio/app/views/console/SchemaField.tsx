import { useState } from 'preact/hooks'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import type { FieldProps } from './fieldProps.ts'
import { JsonField } from './JsonField.tsx'
import { ListField } from './ListField.tsx'
import {
  branchName,
  emptyOf,
  type Member,
  resolved,
  type Schema,
  type Shape,
  shapeOf,
} from './schema.ts'
import { isPassword } from './sensitive.ts'

/** Longer texts get several lines. */
const oneLine = 600

/** The control of one value, by its schema; objects, lists and unions contain further ones. */
export function SchemaField(props: FieldProps) {
  const { name, path, schema: given, required, value, onChange, components, problems } = props
  const schema = resolved(given, components)
  const shape = shapeOf(given, components)
  const label = required ? name : `${name} (optional)`
  const help = schema.description
  const error = problems.get(path)
  if (shape.kind === 'members') return <Members {...props} members={shape.members} label={label} />
  if (shape.kind === 'list')
    return (
      <ListField
        {...{ name, path, label, required, value, onChange, components, problems }}
        items={shape.items}
        renderElement={(element) => (
          <SchemaField {...element} schema={shape.items} required {...{ components, problems }} />
        )}
      />
    )
  if (shape.kind === 'union') return <Union {...props} branches={shape.branches} label={label} />
  if (shape.kind === 'json') return <JsonField {...{ label, help, error, value, onChange }} />
  if (shape.kind === 'text') {
    const text = typeof value === 'string' ? value : ''
    // An optional text that is emptied is absent; a required one is empty.
    const change = (next: string) => onChange(next === '' && !required ? undefined : next)
    return (schema.maxLength ?? 0) > oneLine || (schema.pattern === undefined && isLong(name)) ? (
      <TextAreaField {...{ label, help, error, value: text }} rows={3} onChange={change} />
    ) : (
      <TextField
        {...{ label, help, error, value: text }}
        type={isPassword(name, schema) ? 'password' : 'text'}
        onChange={change}
      />
    )
  }
  if (shape.kind === 'number' || shape.kind === 'integer')
    return (
      <TextField
        {...{ label, help, error }}
        value={value === undefined ? '' : String(value)}
        onChange={(text) => onChange(numberOf(text))}
      />
    )
  return <Choice {...{ label, help, required, value, onChange }} values={choicesOf(shape)} />
}

const isLong = (name: string): boolean => /^(policy|envelope|wasm_args)$/.test(name)

/** What is not a number stays as it was typed, so that the validation says so. */
function numberOf(text: string): unknown {
  if (text === '') return undefined
  return Number.isFinite(Number(text)) ? Number(text) : text
}

const choicesOf = (shape: Shape): readonly unknown[] =>
  shape.kind === 'choice' ? shape.values : shape.kind === 'boolean' ? [true, false] : [null]

const absent = '(absent)'

function Choice(props: {
  readonly label: string
  readonly help: string | undefined
  readonly required: boolean
  readonly value: unknown
  readonly values: readonly unknown[]
  readonly onChange: (value: unknown) => void
}) {
  const { label, help, required, value, values, onChange } = props
  const texts = values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  const options = required && value !== undefined ? texts : [absent, ...texts]
  return (
    <SelectField
      {...{ label, help }}
      value={value === undefined ? absent : shown}
      options={options.map((text) => ({ value: text, text }))}
      onChange={(text) => onChange(text === absent ? undefined : values[texts.indexOf(text)])}
    />
  )
}

/** An object: its members in a group. An optional one is added and removed. */
function Members(
  props: FieldProps & { readonly members: readonly Member[]; readonly label: string },
) {
  const { value, onChange, members, path, label, components, problems, required, schema } = props
  const error = problems.get(path)
  const present = typeof value === 'object' && value !== null && !Array.isArray(value)
  const record = (present ? value : {}) as Readonly<Record<string, unknown>>
  return (
    <fieldset class="fields">
      <legend>{label}</legend>
      {error === undefined ? null : <span class="error">{error}</span>}
      {present
        ? members.map((member) => (
            <SchemaField
              key={member.name}
              {...member}
              path={path === '' ? member.name : `${path}.${member.name}`}
              value={record[member.name]}
              onChange={(next) => onChange(withMember(record, member.name, next))}
              {...{ components, problems }}
            />
          ))
        : null}
      {present && required ? null : (
        <div>
          <Button small onPress={() => onChange(present ? undefined : emptyOf(schema, components))}>
            {present ? `Remove ${props.name}` : `Add ${props.name}`}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** A copy with a member set, or without it. */
export function withMember(
  record: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const { [name]: _, ...others } = record
  // In its place, so that the order of members stays.
  const entries = Object.entries(record).map(([key, member]) => [
    key,
    key === name ? value : member,
  ])
  if (value === undefined) return others
  return Object.hasOwn(record, name) ? Object.fromEntries(entries) : { ...record, [name]: value }
}

/** One of several forms. */
function Union(
  props: FieldProps & { readonly branches: readonly Schema[]; readonly label: string },
) {
  const { branches, label, components, onChange, value, required } = props
  const [chosen, setChosen] = useState(0)
  const none = value === undefined && !required ? -1 : chosen
  const choose = (index: number) => {
    setChosen(Math.max(0, index))
    onChange(index < 0 ? undefined : emptyOf(branches[index]!, components))
  }
  const options = branches.map((branch, index) => ({
    value: String(index),
    text: branchName(branch, components, index),
  }))
  return (
    <fieldset class="fields">
      <legend>{label}</legend>
      <SelectField
        label={`Form of ${props.name}`}
        value={String(none)}
        options={required ? options : [{ value: '-1', text: absent }, ...options]}
        onChange={(text) => choose(Number(text))}
      />
      {none < 0 ? null : <SchemaField {...props} required schema={branches[chosen]!} />}
    </fieldset>
  )
}
