import { useState } from 'preact/hooks'
import { SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { type FormField, fieldProblem, shownValue, typedValue } from './params/formFields.ts'

/** One parameter. @param props.onChange is given the JSON text of the value; undefined removes it */
export function MemberField(props: {
  readonly field: FormField
  readonly text: string | undefined
  readonly onChange: (text: string | undefined) => void
}) {
  const { field, text, onChange } = props
  const { kind, label, help, required, choices } = field
  // What is typed is kept while it is not a value, such as "1." or "[1,".
  const [draft, setDraft] = useState<string>()
  const problem = fieldProblem(field, draft ?? text)
  const shared = {
    label: required ? `${label} *` : label,
    ...(help === '' ? {} : { help }),
    error: problem === undefined ? undefined : `${field.name} ${problem}.`,
  }
  if (kind === 'boolean' || kind === 'choice') {
    const values = kind === 'boolean' ? ['true', 'false'] : choices
    const known = text === undefined || values.includes(text) ? values : [text, ...values]
    return (
      <SelectField
        label={shared.label}
        value={text ?? ''}
        {...(help === '' ? {} : { help })}
        options={[
          ...(required && text !== undefined ? [] : [{ value: '', text: 'not set' }]),
          ...known.map((value) => ({ value, text: value })),
        ]}
        onChange={(value) => onChange(value === '' ? undefined : value)}
      />
    )
  }
  const typed = (value: string) => {
    const next = typedValue(field, value)
    const isValue = next === undefined || isJson(next)
    setDraft(isValue ? undefined : value)
    if (isValue) onChange(next)
  }
  const value = draft ?? shownValue(field, text)
  return kind === 'json' ? (
    <TextAreaField {...shared} value={value} onChange={typed} rows={3} />
  ) : (
    <TextField {...shared} value={value} onChange={typed} />
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
