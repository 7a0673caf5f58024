import type { AbiFunction } from 'viem'
import { SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import {
  type CallKind,
  calledFunction,
  functionsOf,
  type IntentForm,
  type Problems,
  signatureOf,
} from './intentForm.ts'

const kinds: readonly { readonly value: CallKind; readonly text: string }[] = [
  { value: 'none', text: 'No call' },
  { value: 'signature', text: 'Function signature' },
  { value: 'abi', text: 'ABI' },
  { value: 'data', text: 'Calldata' },
]

/** What the intent calls, and a field for each argument. */
export function CallFields(props: {
  readonly form: IntentForm
  readonly problems: Problems
  readonly onChange: (changes: Partial<IntentForm>) => void
}) {
  const { form, problems, onChange } = props
  const item = orUndefined(() => calledFunction(form))
  return (
    <div class="stack">
      <SelectField
        label="Call"
        value={form.call}
        options={kinds}
        onChange={(call) => onChange({ call: call as CallKind, args: [] })}
      />
      {form.call === 'signature' ? (
        <TextField
          label="Signature"
          value={form.signature}
          placeholder="transfer(address to, uint256 amount)"
          error={problems.signature}
          onChange={(signature) => onChange({ signature })}
        />
      ) : null}
      {form.call === 'abi' ? <AbiFields {...{ form, problems, onChange }} /> : null}
      {form.call === 'data' ? (
        <TextAreaField
          label="Calldata"
          value={form.data}
          rows={3}
          error={problems.data}
          onChange={(data) => onChange({ data })}
        />
      ) : null}
      {item === undefined ? null : <ArgumentFields {...{ item, form, onChange }} />}
    </div>
  )
}

function AbiFields({ form, problems, onChange }: Parameters<typeof CallFields>[0]) {
  const functions = orUndefined(() => functionsOf(form.abi)) ?? []
  return (
    <>
      <TextAreaField
        label="ABI"
        help="JSON of a contract or of one function"
        value={form.abi}
        error={problems.abi}
        onChange={(abi) => onChange({ abi, args: [] })}
      />
      {functions.length === 0 ? null : (
        <SelectField
          label="Function"
          value={form.chosen || signatureOf(functions[0]!)}
          options={functions.map((each) => ({ value: signatureOf(each), text: signatureOf(each) }))}
          onChange={(chosen) => onChange({ chosen, args: [] })}
        />
      )}
    </>
  )
}

const ArgumentFields = (props: {
  readonly item: AbiFunction
  readonly form: IntentForm
  readonly onChange: (changes: Partial<IntentForm>) => void
}) => (
  <fieldset class="stack">
    <legend>{signatureOf(props.item)}</legend>
    {props.item.inputs.map(({ name, type }, at) => (
      <TextField
        key={`${at} ${type}`}
        label={`${name || `Argument ${at + 1}`} (${type})`}
        help={/[\])]$|^tuple/.test(type) ? 'JSON; large numbers as strings' : undefined}
        value={props.form.args[at] ?? ''}
        onChange={(text) => {
          const args = props.item.inputs.map((_, index) => props.form.args[index] ?? '')
          args[at] = text
          props.onChange({ args })
        }}
      />
    ))}
  </fieldset>
)

function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
