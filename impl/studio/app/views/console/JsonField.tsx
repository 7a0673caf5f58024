import { useEffect, useState } from 'preact/hooks'
import { TextAreaField } from '../../ui/Field.tsx'

/** Any JSON. While the text is none, the value stays and the field says where it ends to be one. */
export function JsonField(props: {
  readonly label: string
  readonly help?: string | undefined
  readonly error?: string | undefined
  readonly rows?: number | undefined
  /** Undefined: absent. */
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}) {
  const { label, help, error, rows, value, onChange } = props
  const [text, setText] = useState(() => textOf(value))
  const [wrong, setWrong] = useState<string>()
  useEffect(() => {
    // Another value than that of the text: an example, or a request of the history.
    if (textOf(parsedOrAbsent(text)) !== textOf(value)) {
      setText(textOf(value))
      setWrong(undefined)
    }
  }, [value])
  const change = (next: string) => {
    setText(next)
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next))
      setWrong(undefined)
    } catch (reason) {
      setWrong((reason as Error).message)
    }
  }
  return (
    <TextAreaField
      {...{ label, help, rows }}
      error={wrong ?? error}
      value={text}
      onChange={change}
    />
  )
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : JSON.stringify(value, undefined, 2)

function parsedOrAbsent(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
