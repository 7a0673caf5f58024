import { useState } from 'preact/hooks'
import { Button } from './Button.tsx'

/** Copies a text to the clipboard. */
export function CopyButton(props: { readonly text: () => string; readonly label: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(props.text())
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <Button small onPress={copy}>
      {copied ? 'Copied' : props.label}
    </Button>
  )
}
