import type { ConformanceRun, ConformanceSelection } from 'polgate-protocol/control/conformance.ts'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'

/** Starts a run and shows it. */
export function RunButton(props: {
  readonly selection: ConformanceSelection
  readonly primary?: boolean | undefined
  readonly disabled?: boolean | undefined
  readonly children: ComponentChildren
}) {
  const [error, setError] = useState<Error>()
  const start = async () => {
    setError(undefined)
    try {
      const { id } = await control.post<ConformanceRun>('/conformance/runs', props.selection)
      navigate(hashOf('conformance', ['runs', id]))
    } catch (reason) {
      setError(reason as Error)
    }
  }
  return (
    <>
      <Button
        kind={props.primary === true ? 'primary' : undefined}
        disabled={props.disabled}
        onPress={start}
      >
        {props.children}
      </Button>
      <ErrorNotice error={error} />
    </>
  )
}
