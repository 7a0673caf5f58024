import { useState } from 'preact/hooks'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { shortHex } from '../../ui/Hex.tsx'

export type Named = { readonly name: string | null; readonly address: string }

const other = 'other'

/** One of the known addresses, or another one. */
export function AddressField(props: {
  readonly label: string
  readonly known: readonly Named[]
  readonly value: string
  readonly error?: string | undefined
  readonly onChange: (address: string) => void
}) {
  const { label, known, value, error, onChange } = props
  const isKnown = known.some(({ address }) => address === value)
  const [typed, setTyped] = useState(false)
  const typing = typed || known.length === 0 || (value !== '' && !isKnown)
  return (
    <div class="stack">
      {known.length === 0 ? null : (
        <SelectField
          label={label}
          value={typing ? other : value}
          options={[
            ...(value === '' && !typing ? [{ value: '', text: 'Choose …' }] : []),
            ...known.map(({ name, address }) => ({
              value: address,
              text: name === null ? shortHex(address) : `${name} (${shortHex(address)})`,
            })),
            { value: other, text: 'Another address' },
          ]}
          onChange={(chosen) => {
            setTyped(chosen === other)
            onChange(chosen === other ? '' : chosen)
          }}
        />
      )}
      {typing || error !== undefined ? (
        <TextField
          label={known.length === 0 ? label : `${label}: address`}
          value={value}
          placeholder="0x…"
          error={error}
          onChange={onChange}
        />
      ) : null}
    </div>
  )
}
