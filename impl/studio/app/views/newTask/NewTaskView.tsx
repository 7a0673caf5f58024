import type { DevAccount } from 'polgate-protocol/control/accounts.ts'
import { useEffect, useState } from 'preact/hooks'
import { target } from '../../data/target.ts'
import { hashOf } from '../../data/useRoute.ts'
import { AddressField } from '../../names/AddressField.tsx'
import { useNamed } from '../../names/names.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { TaskTrace } from '../tasks/TaskTrace.tsx'
import { CallFields } from './CallFields.tsx'
import { buildIntent, type IntentForm, otherUnit, type Problems } from './intentForm.ts'
import { prefilled } from './prefilled.ts'
import { ResultPanel } from './ResultPanel.tsx'
import { type Method, type Submitted, submitTask } from './submitTask.ts'

const methods: readonly { readonly value: Method; readonly text: string }[] = [
  { value: 'createTask', text: 'createTask: wait for the decision' },
  { value: 'sendTask', text: 'sendTask: follow the updates' },
  { value: 'simulateTask', text: 'simulateTask: change nothing' },
]

type HexText = `0x${string}`
type Progress = { readonly text: string; readonly taskId?: HexText | undefined }

const unsigned = 'none'

/** A task from a form, signed by a dev account, with its result. */
export function NewTaskView({ route }: ViewProps) {
  const client = route.query.get('client')
  const [form, setForm] = useState<IntentForm>()
  const [accounts, setAccounts] = useState<readonly DevAccount[]>([])
  const clients = useNamed('client')
  const [method, setMethod] = useState<Method>('createTask')
  const [signer, setSigner] = useState(unsigned)
  const [problems, setProblems] = useState<Problems>({})
  const [progress, setProgress] = useState<Progress>()
  const [submitted, setSubmitted] = useState<Submitted>()
  const [traced, setTraced] = useState<HexText>()
  const [error, setError] = useState<Error>()
  const change = (changes: Partial<IntentForm>) => setForm((old) => old && { ...old, ...changes })
  useEffect(() => {
    prefilled(client).then((found) => {
      setForm(found.form)
      setAccounts(found.accounts)
    }, setError)
  }, [client])
  const { chainId = 0, readOnly } = target()

  if (form === undefined)
    return (
      <>
        <h1>New task</h1>
        {error === undefined ? <p class="muted">Loading …</p> : <ErrorNotice error={error} />}
      </>
    )

  const submit = async () => {
    const built = buildIntent(form, chainId)
    setSubmitted(undefined)
    setTraced(undefined)
    setError(undefined)
    setProblems('problems' in built ? built.problems : {})
    if ('problems' in built) return
    const signing = accounts.find(({ name }) => name === signer)
    try {
      const given = {
        ...built,
        method,
        signer: signing,
        policyClient: form.policyClient as HexText,
      }
      const done = await submitTask(given, (text, taskId) => {
        setProgress({ text, taskId })
        setTraced(taskId)
      })
      setSubmitted(done)
      setTraced(done.taskId)
    } catch (reason) {
      setError(reason as Error)
      const { taskId } = reason as { readonly taskId?: HexText }
      if (taskId !== undefined) setTraced(taskId)
    } finally {
      setProgress(undefined)
    }
  }

  return (
    <>
      <h1>New task</h1>
      {readOnly ? <Notice>Only simulations are possible for this gateway.</Notice> : null}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div class="columns">
          <section class="panel stack" aria-label="Intent">
            <h2>Intent</h2>
            <AddressField
              label="Policy client"
              {...{ known: clients, value: form.policyClient, error: problems.policyClient }}
              onChange={(policyClient) => change({ policyClient })}
            />
            <AddressField
              label="From"
              {...{ known: accounts, value: form.from, error: problems.from }}
              onChange={(from) => change({ from })}
            />
            <AddressField
              label="To"
              {...{ known: accounts, value: form.to, error: problems.to }}
              onChange={(to) => change({ to })}
            />
            <TextField
              label="Value"
              {...{ value: form.value, error: problems.value, help: otherUnit(form) }}
              onChange={(value) => change({ value })}
            />
            <SelectField
              label="Unit"
              value={form.unit}
              options={[
                { value: 'wei', text: 'wei' },
                { value: 'ether', text: 'ether' },
              ]}
              onChange={(unit) => change({ unit: unit as IntentForm['unit'] })}
            />
          </section>
          <section class="panel stack" aria-label="Call and signature">
            <h2>Call and signature</h2>
            <CallFields {...{ form, problems }} onChange={change} />
            <TextAreaField
              label="Oracle arguments (wasm_args)"
              help="JSON; empty for none"
              rows={3}
              {...{ value: form.wasmArgs, error: problems.wasmArgs }}
              onChange={(wasmArgs) => change({ wasmArgs })}
            />
            <SelectField
              label="Intent signature"
              value={signer}
              options={[
                { value: unsigned, text: 'None' },
                ...accounts
                  .filter(({ privateKey }) => privateKey !== undefined)
                  .map(({ name }) => ({ value: name, text: `Sign as ${name}` })),
              ]}
              onChange={setSigner}
            />
            <SelectField
              label="Method"
              value={readOnly ? 'simulateTask' : method}
              options={readOnly ? methods.slice(-1) : methods}
              onChange={(chosen) => setMethod(chosen as Method)}
            />
          </section>
        </div>
        <div class="row">
          <Button kind="primary" submit disabled={progress !== undefined}>
            Submit
          </Button>
          {progress === undefined ? null : (
            <span role="status">
              {progress.text} …{' '}
              {progress.taskId === undefined ? null : (
                <Hex value={progress.taskId} href={hashOf('tasks', [progress.taskId])} />
              )}
            </span>
          )}
        </div>
      </form>
      <ErrorNotice error={error} />
      {submitted === undefined ? null : (
        <ResultPanel
          key={submitted.taskId ?? 'simulated'}
          submitted={submitted}
          sender={accounts.find(({ address }) => address.toLowerCase() === form.from.toLowerCase())}
        />
      )}
      {traced === undefined ? null : <TaskTrace key={traced} id={traced} />}
    </>
  )
}
