import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'

/** Downloads the self-contained report of a run. */
export function ReportButton({ run }: { readonly run: string }) {
  const [error, setError] = useState<Error>()
  const download = async () => {
    setError(undefined)
    try {
      const path = `/conformance/runs/${encodeURIComponent(run)}/report`
      const { html } = await control.get<{ readonly html: string | null }>(path)
      if (html === null) throw new Error('The run ended before it wrote a report.')
      const url = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
      const link = document.createElement('a')
      Object.assign(link, { href: url, download: `conformance-${run}.html` })
      link.click()
      URL.revokeObjectURL(url)
    } catch (reason) {
      setError(reason as Error)
    }
  }
  return (
    <>
      <Button onPress={download}>Download report</Button>
      <ErrorNotice error={error} />
    </>
  )
}
