import type { ComponentChildren } from 'preact'
import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { durationText, Time } from '../../ui/Time.tsx'
import { weiOf, weiText } from '../../ui/wei.ts'
import { TaskOutcome } from './TaskOutcome.tsx'
import { wholeDuration } from './taskParts.ts'
import type { KnownTask } from './useTaskTrace.ts'

/** State, decision and reasons, and what the task is about. */
export function TaskSummaryPanel({ known }: { readonly known: KnownTask }) {
  const { summary, path, row, error } = known
  const intent = known.state?.result?.task?.intent ?? row?.intent
  if (known.isLoading) return <p class="muted">Loading …</p>
  const duration = path && wholeDuration(path)
  const created = path?.startedAt ?? row?.task_created_at
  const client = summary?.policyClient ?? row?.policy_client_address
  const value = weiOf(intent?.value)
  const policy = summary?.policyAddress ?? row?.policy_address
  return (
    <>
      {error !== undefined && summary === undefined ? <ErrorNotice error={error} /> : null}
      {summary === undefined ? null : (
        <div class="row">
          <TaskOutcome summary={summary} />
          {summary.reasons?.map((reason) => (
            <span key={reason} class="task-reason">
              {reason}
            </span>
          ))}
        </div>
      )}
      {summary?.error === undefined ? null : <Notice tone="bad">{summary.error}</Notice>}
      {summary?.warnings.map(({ code, message }) => (
        <Notice key={code} tone="warn">
          {code}: {message}
        </Notice>
      ))}
      <dl class="task-facts">
        {client === undefined ? null : (
          <Fact name="Client">
            <Address value={client} href={hashOf('tasks', [], { client })} />
          </Fact>
        )}
        {policy === undefined || policy === null ? null : (
          <Fact name="Policy">
            <Hex value={policy} />
          </Fact>
        )}
        {summary?.entrypoint === undefined ? null : (
          <Fact name="Entrypoint">
            <code>{summary.entrypoint}</code>
          </Fact>
        )}
        {value === undefined ? null : <Fact name="Value">{weiText(value)}</Fact>}
        {path?.method ? <Fact name="Method">{path.method}</Fact> : null}
        {created === undefined || created === null ? null : (
          <Fact name="Created">
            <Time at={created} />
          </Fact>
        )}
        {duration === undefined ? null : <Fact name="Took">{durationText(duration)}</Fact>}
        {summary?.validUntilBlock === undefined ? null : (
          <Fact name="Valid until">block {summary.validUntilBlock}</Fact>
        )}
      </dl>
    </>
  )
}

const Fact = (props: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{props.name}</dt>
    <dd>{props.children}</dd>
  </div>
)
