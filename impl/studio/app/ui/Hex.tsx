import { useState } from 'preact/hooks'
import { CopyIcon } from './CopyIcon.tsx'

/** The first and last digits of a long value. */
export const shortHex = (value: string): string =>
  value.length <= 14 ? value : `${value.slice(0, 8)}…${value.slice(-4)}`

/** An address, hash or other long value: short, whole as a tooltip, and copied by its button. */
export function Hex(props: {
  readonly value: string
  readonly href?: string | undefined
  readonly name?: string | undefined
}) {
  const [copied, setCopied] = useState(false)
  const text = props.name ?? shortHex(props.value)
  const copy = async () => {
    await navigator.clipboard.writeText(props.value)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <span class="hex" title={props.value}>
      {props.href === undefined ? text : <a href={props.href}>{text}</a>}
      <button type="button" aria-label={`Copy ${props.value}`} onClick={copy}>
        <CopyIcon done={copied} />
      </button>
    </span>
  )
}
