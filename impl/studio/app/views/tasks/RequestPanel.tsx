import { target } from '../../data/target.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Empty, Notice } from '../../ui/Notice.tsx'
import { curlText, rpcText, type TaskRequest } from './taskRequest.ts'

/** The call that created a task: its body, and the command for a shell. */
export function RequestPanel({ request }: { readonly request: TaskRequest | undefined }) {
  if (request === undefined) return <Empty>The request of this task is not known.</Empty>
  const { brand, gatewayUrl } = target()
  const body = rpcText(brand.methodPrefix, request)
  const curl = curlText(gatewayUrl, body)
  return (
    <div class="stack">
      {request.isOriginal ? null : (
        <Notice>
          Made from the task: this target does not keep the requests, so members that are not part
          of a task are missing.
        </Notice>
      )}
      <Text title="JSON-RPC" text={body} />
      <Text title="curl" text={curl} />
      <p class="muted">Set API_KEY in the shell to a key of the gateway.</p>
    </div>
  )
}

const Text = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <section class="stack" aria-label={title}>
    <div class="row">
      <h2 class="grow">{title}</h2>
      <CopyButton label="Copy" text={() => text} />
    </div>
    <pre class="task-body" tabIndex={0}>
      {text}
    </pre>
  </section>
)
