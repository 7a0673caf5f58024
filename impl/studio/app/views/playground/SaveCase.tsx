import { useState } from 'preact/hooks'
import { caseYaml } from '../../../playground/caseYaml.ts'
import type { PlaygroundAnswer, PlaygroundRequest } from '../../../playground/evaluation.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextField } from '../../ui/Field.tsx'
import { download } from './download.ts'

/** What is evaluated as a row of `cases.yaml` of a policy package. */
export function SaveCase(props: {
  readonly request: PlaygroundRequest
  readonly answer: PlaygroundAnswer
}) {
  const [name, setName] = useState('from the playground')
  let text: string | undefined
  try {
    text = caseYaml(name, props.request, props.answer)
  } catch {
    return <p class="muted">A test case needs an input and parameters that are JSON.</p>
  }
  const saved = text
  return (
    <div class="stack">
      <TextField label="Name of the case" value={name} onChange={setName} />
      <pre class="panel" tabIndex={0}>
        {saved}
      </pre>
      <div class="row">
        <Button disabled={name === ''} onPress={() => download('cases.yaml', saved)}>
          Download cases.yaml
        </Button>
        <CopyButton text={() => saved} label="Copy" />
      </div>
      <p class="muted">
        The case expects what is decided now. `polgate policy test` runs it with the oracles of the
        package: mocks of their hosts have to give the same output.
      </p>
    </div>
  )
}
