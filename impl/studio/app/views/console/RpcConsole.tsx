import { useEffect, useState } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { target } from '../../data/target.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { rpcCurl } from './curl.ts'
import { exampleOfMembers } from './example.ts'
import type { Draft } from './history.ts'
import { knownValues } from './knownValues.ts'
import { MethodList } from './MethodList.tsx'
import { type RpcDocument, type RpcMethod, rpcDocument } from './openRpc.ts'
import { RequestForm } from './RequestForm.tsx'
import { ResponsePanel } from './ResponsePanel.tsx'
import { skeletonOfMembers } from './schema.ts'
import type { History } from './useHistory.ts'
import { useRequest } from './useRequest.ts'

/** The OpenRPC document of the gateway. @throws ApiError */
async function discover(): Promise<RpcDocument> {
  const { result, error } = await api<{ result?: unknown; error?: { message: string } }>('/rpc', {
    method: 'POST',
    body: { jsonrpc: '2.0', id: 'discover', method: 'rpc.discover' },
  })
  if (error !== undefined) throw new Error(`rpc.discover: ${error.message}`)
  return rpcDocument(result, target().brand.methodPrefix)
}

/** Every method of the gateway, with a form made of its schema. */
export function RpcConsole(props: {
  /** Title of the method; the first one by default. */
  readonly chosen: string | undefined
  readonly history: History
  /** Parameters and key of a request of the history. */
  readonly draft: Draft | undefined
}) {
  const [document, setDocument] = useState<RpcDocument>()
  const [error, setError] = useState<Error>()
  useEffect(() => void discover().then(setDocument, setError), [])
  if (error !== undefined) return <ErrorNotice error={error} />
  if (document === undefined) return <p class="muted">Loading the methods of the gateway …</p>
  const { methods } = document
  if (methods.length === 0) return <Empty>The gateway describes no method.</Empty>
  const method = methods.find(({ title }) => title === props.chosen) ?? methods[0]!
  return (
    <div class="console">
      <MethodList
        label="Method"
        entries={methods.map(({ title }) => ({ id: title, text: title }))}
        chosen={method.title}
        onChoose={(title) => navigate(hashOf('console', ['rpc', title]))}
      />
      <MethodConsole key={method.name} {...{ method, document }} {...props} />
    </div>
  )
}

function MethodConsole(props: {
  readonly method: RpcMethod
  readonly document: RpcDocument
  readonly history: History
  readonly draft: Draft | undefined
}) {
  const { method, document, history, draft } = props
  const { gatewayUrl, keyNames, readOnly } = target()
  const { values, setValues, key, setKey, send, ...answer } = useRequest({
    initial: () => skeletonOfMembers(method.members, document.components),
    permission: method.permission,
    history,
    draft,
  })
  const body = { jsonrpc: '2.0', id: String(Date.now()), method: method.name, params: values }
  const fill = async () =>
    setValues(exampleOfMembers(method.members, document.components, await knownValues()))
  const changes = readOnly && !/^(simulate|get)/.test(method.title)
  return (
    <div class="stack">
      <RequestForm
        members={method.members}
        components={document.components}
        values={values}
        onChange={setValues}
        keyName={key}
        keyNames={keyNames}
        onKey={setKey}
        keyHelp={method.permission === undefined ? undefined : `It needs ${method.permission}.`}
        onSend={() => send(method.title, '/rpc', { method: 'POST', body })}
        refused={changes ? 'Read-only: this method changes the gateway.' : undefined}
        onExample={fill}
        curl={() => rpcCurl(gatewayUrl, key, method.name, values)}
      >
        <h2>
          <code>{method.name}</code>
        </h2>
        <p>{method.summary}</p>
      </RequestForm>
      <ResponsePanel {...answer} />
    </div>
  )
}
