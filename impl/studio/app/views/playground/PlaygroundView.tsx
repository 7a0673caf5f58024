import { useMemo, useState } from 'preact/hooks'
import type { Diagnostic, Editor, PlaygroundRequest } from '../../../playground/evaluation.ts'
import { exactJsonOrText } from '../../data/jsonOrText.ts'
import { target } from '../../data/target.ts'
import { lineOutcomes } from '../../rules/ruleOutcome.ts'
import { TextField } from '../../ui/Field.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { weiOf, weiText } from '../../ui/wei.ts'
import type { ViewProps } from '../../viewProps.ts'
import { CodeEditor } from './editor/CodeEditor.tsx'
import { LoadFrom } from './LoadFrom.tsx'
import { Outcome } from './Outcome.tsx'
import { PastTasks } from './PastTasks.tsx'
import './playground.css'
import { SaveCase } from './SaveCase.tsx'
import { startingPolicy } from './startingPolicy.ts'
import { type Loaded, useLoaded } from './useLoaded.ts'
import { usePlayground } from './usePlayground.ts'

/** `#/playground`, `#/playground/TASK` and `#/playground?client=ADDRESS`. */
export function PlaygroundView({ route }: ViewProps) {
  const [taskId = ''] = route.rest
  const [request, setRequest] = useState<PlaygroundRequest>(() => ({
    ...{ ...startingPolicy, now: Date.now() },
    regoNamespace: target().brand.regoNamespace,
  }))
  const [client, setClient] = useState<string>()
  const [revision, setRevision] = useState(0)
  const [tab, setTab] = useState('past')
  const change = (part: Partial<PlaygroundRequest>) =>
    setRequest((known) => ({ ...known, ...part }))
  const place = { taskId, client: route.query.get('client') ?? undefined }
  const error = useLoaded(place, (loaded: Loaded) => {
    change(loaded.request)
    setClient(loaded.client)
    setRevision((known) => known + 1)
  })
  const evaluated = usePlayground(request)
  const { answer } = evaluated
  const outcomes = useMemo(() => answer?.coverage && lineOutcomes(answer.coverage), [answer])
  const wei = weiOf((exactJsonOrText(request.input) as { value?: unknown } | null)?.value)
  const errorsOf = (editor: Editor): readonly Diagnostic[] | undefined =>
    answer?.diagnostics.filter((each) => each.editor === editor)

  return (
    <div class="stack">
      <h1>Playground</h1>
      <LoadFrom taskId={taskId} client={client} />
      <ErrorNotice error={error} />
      <div class="playground">
        <div class="stack">
          <CodeEditor
            label="Policy (Rego)"
            language="rego"
            value={request.source}
            revision={revision}
            onChange={(source) => change({ source })}
            diagnostics={errorsOf('source')}
            outcomes={outcomes}
          />
          <TextField
            label="Entrypoint"
            value={request.entrypoint}
            onChange={(entrypoint) => change({ entrypoint })}
            help="package.rule; its deny rule gives the reasons"
          />
        </div>
        <div class="stack">
          <CodeEditor
            label="Input"
            language="json"
            value={request.input}
            revision={revision}
            onChange={(input) => change({ input })}
            diagnostics={errorsOf('input')}
          />
          {wei === undefined ? null : <p class="muted">value: {weiText(wei)}</p>}
          <CodeEditor
            label="Parameters"
            language="json"
            value={request.params}
            revision={revision}
            onChange={(params) => change({ params })}
            diagnostics={errorsOf('params')}
          />
          <Outputs
            data={request.data}
            revision={revision}
            diagnostics={errorsOf('data')}
            onChange={(data) => change({ data })}
          />
        </div>
      </div>
      <Outcome evaluated={evaluated} />
      <Tabs
        label="More"
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'past',
            title: 'Past tasks',
            content: () => (
              <PastTasks
                client={client}
                request={request}
                running={evaluated.running}
                usable={answer?.coverage !== undefined}
              />
            ),
          },
          {
            id: 'case',
            title: 'Save as test case',
            content: () =>
              answer === undefined ? (
                <p class="muted">Nothing is decided yet.</p>
              ) : (
                <SaveCase request={request} answer={answer} />
              ),
          },
        ]}
      />
    </div>
  )
}

/** An editor for the output of each oracle; they are merged in order. */
const Outputs = (props: {
  readonly data: readonly string[]
  readonly revision: number
  readonly diagnostics: readonly Diagnostic[] | undefined
  readonly onChange: (data: readonly string[]) => void
}) => (
  <>
    {(props.data.length === 0 ? ['{}'] : props.data).map((output, at, all) => (
      <CodeEditor
        key={at}
        label={all.length === 1 ? 'Oracle output' : `Oracle output ${at + 1}`}
        language="json"
        value={output}
        revision={props.revision}
        onChange={(text) => props.onChange(all.map((each, index) => (index === at ? text : each)))}
        diagnostics={at === 0 ? props.diagnostics : undefined}
      />
    ))}
  </>
)
