import { useEffect, useState } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { target } from '../../data/target.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { explorerCurl } from './curl.ts'
import { exampleOfMembers } from './example.ts'
import type { Draft } from './history.ts'
import { knownValues } from './knownValues.ts'
import { MethodList } from './MethodList.tsx'
import {
  type ExplorerDocument,
  type ExplorerOperation,
  explorerDocument,
  requestOf,
} from './openApi.ts'
import { RequestForm } from './RequestForm.tsx'
import { ResponsePanel } from './ResponsePanel.tsx'
import type { History } from './useHistory.ts'
import { useRequest } from './useRequest.ts'

/** Every path of the explorer, with a form made of its OpenAPI document. */
export function ExplorerConsole(props: {
  readonly chosen: string | undefined
  readonly history: History
  readonly draft: Draft | undefined
}) {
  const [document, setDocument] = useState<ExplorerDocument>()
  const [error, setError] = useState<Error>()
  const hasExplorer = target().has.explorer
  useEffect(() => {
    if (!hasExplorer) return
    void api<unknown>('/explorer/openapi.json').then(
      (found) => setDocument(explorerDocument(found)),
      setError,
    )
  }, [hasExplorer])
  if (!hasExplorer) return <Empty>This target has no explorer.</Empty>
  if (error !== undefined) return <ErrorNotice error={error} />
  if (document === undefined) return <p class="muted">Loading the paths of the explorer …</p>
  const { operations } = document
  if (operations.length === 0) return <Empty>The explorer describes no path.</Empty>
  const operation = operations.find(({ path }) => path === props.chosen) ?? operations[0]!
  return (
    <div class="console">
      <MethodList
        label="Path"
        entries={operations.map(({ path }) => ({ id: path, text: path }))}
        chosen={operation.path}
        onChoose={(path) => navigate(hashOf('console', ['explorer', path]))}
      />
      <OperationConsole key={operation.path} {...{ operation, document }} {...props} />
    </div>
  )
}

function OperationConsole(props: {
  readonly operation: ExplorerOperation
  readonly document: ExplorerDocument
  readonly history: History
  readonly draft: Draft | undefined
}) {
  const { operation, document, history, draft } = props
  const { values, setValues, key, setKey, send, ...answer } = useRequest({
    initial: () => ({}),
    permission: undefined,
    history,
    draft,
  })
  const { path, headers } = requestOf(operation, values)
  const fill = async () =>
    setValues(exampleOfMembers(operation.members, document.components, await knownValues()))
  return (
    <div class="stack">
      <RequestForm
        members={operation.members}
        components={document.components}
        values={values}
        onChange={setValues}
        keyName={key}
        keyNames={target().keyNames}
        onKey={setKey}
        keyHelp="It needs the permission to read."
        onSend={() => send(`GET ${operation.path}`, `/explorer${path}`, { headers })}
        refused={undefined}
        onExample={fill}
        curl={() => explorerCurl(key, path, headers)}
      >
        <h2>
          <code>GET {operation.path}</code>
        </h2>
        <p>{operation.summary}</p>
      </RequestForm>
      <ResponsePanel {...answer} />
    </div>
  )
}
