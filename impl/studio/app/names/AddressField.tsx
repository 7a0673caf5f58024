import { useState } from 'preact/hooks'
import { SelectField, TextField } from '../ui/Field.tsx'
import { shortHex } from '../ui/Hex.tsx'

export type Named = { readonly name: string; readonly address: string }

const other = 'other'
const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** One of the known addresses, or another one. */
export function AddressField(props: {
  readonly label: string
  readonly known: readonly Named[]
  readonly value: string
  readonly error?: string | undefined
  /** What no address means, where that can be chosen. */
  readonly none?: string | undefined
  readonly onChange: (address: string) => void
}) {
  const { label, known, value, error, none, onChange } = props
  const chosen = known.find(({ address }) => isSame(address, value))
  const [typed, setTyped] = useState(false)
  const typing = typed || known.length === 0 || (value !== '' && chosen === undefined)
  return (
    <div class="stack">
      {known.length === 0 ? null : (
        <SelectField
          label={label}
          value={typing ? other : (chosen?.address ?? '')}
          options={[
            ...(none !== undefined || (value === '' && !typing)
              ? [{ value: '', text: none ?? 'Choose …' }]
              : []),
            ...known.map(({ name, address }) => ({
              value: address,
              text: name === shortHex(address) ? name : `${name} (${shortHex(address)})`,
            })),
            { value: other, text: 'Another address' },
          ]}
          onChange={(next) => {
            setTyped(next === other)
            onChange(next === other ? '' : next)
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
