import type { CaseAnswer } from 'polgate-protocol/control/taskTrace.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { target } from '../../data/target.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/Notice.tsx'
import type { KnownTask } from './useTaskTrace.ts'

/** Offers a text as a file. */
function download(file: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }))
  const link = document.createElement('a')
  link.href = url
  link.download = file
  link.click()
  URL.revokeObjectURL(url)
}

const idPattern = /^[A-Za-z0-9_-]{1,100}$/

/** Makes a case of a policy package of a task: what hosts answered, and the decision. */
export function SaveCasePanel({ known }: { readonly known: KnownTask }) {
  const [name, setName] = useState('')
  const [oracles, setOracles] = useState('')
  const [made, setMade] = useState<CaseAnswer>()
  const [error, setError] = useState<Error>()
  if (!target().has.control || (known.path === undefined && !known.isLoading))
    return (
      <Empty>
        A test case needs the recorded path of the task: a local stack keeps those of its latest
        tasks.
      </Empty>
    )
  const ids = oracles.split(/[\s,]+/).filter((id) => id !== '')
  const wrong = ids.find((id) => !idPattern.test(id))
  const make = async () => {
    setError(undefined)
    try {
      setMade(
        await control.post<CaseAnswer>(`/tasks/${known.id}/case`, {
          ...(name.trim() === '' ? {} : { name: name.trim().slice(0, 200) }),
          ...(ids.length === 0 ? {} : { oracles: ids }),
        }),
      )
    } catch (reason) {
      setError(reason as Error)
    }
  }
  return (
    <div class="stack">
      <p>
        A case for the <code>cases.yaml</code> of a policy package: <code>polgate policy test</code>{' '}
        runs it again with what the hosts answered to this task.
      </p>
      <div class="columns">
        <TextField label="Name" value={name} placeholder="what it shows" onChange={setName} />
        <TextField
          label="Oracles"
          value={oracles}
          placeholder="ids of the package, in order"
          help="By default the names of their outputs."
          error={
            wrong === undefined ? undefined : `${wrong.slice(0, 40)} is not the id of an oracle`
          }
          onChange={setOracles}
        />
      </div>
      <div>
        <Button kind="primary" disabled={wrong !== undefined} onPress={make}>
          Make the test case
        </Button>
      </div>
      <ErrorNotice error={error} />
      {made === undefined ? null : (
        <>
          {made.notes.map((note) => (
            <Notice key={note} tone="warn">
              {note}
            </Notice>
          ))}
          <pre class="task-body" tabIndex={0}>
            {made.yaml}
          </pre>
          <div class="row">
            <Button onPress={() => download(made.file, made.yaml)}>Download {made.file}</Button>
            <CopyButton label="Copy" text={() => made.yaml} />
          </div>
        </>
      )}
    </div>
  )
}
