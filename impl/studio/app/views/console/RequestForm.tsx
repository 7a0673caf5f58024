import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { JsonField } from './JsonField.tsx'
import { SchemaField, withMember } from './SchemaField.tsx'
import type { Components, Member } from './schema.ts'
import { type Problems, problemsOf } from './validateParams.ts'

type Values = Readonly<Record<string, unknown>>

/** The parameters of one request as a form or as JSON, the key, and what sends it. */
export function RequestForm(props: {
  readonly members: readonly Member[]
  readonly components: Components
  readonly values: Values
  readonly onChange: (values: Values) => void
  readonly keyName: string
  readonly keyNames: readonly string[]
  readonly onKey: (name: string) => void
  readonly keyHelp: string | undefined
  readonly onSend: () => Promise<void>
  /** Why it cannot be sent. */
  readonly refused: string | undefined
  readonly onExample: () => Promise<void>
  readonly curl: () => string
  readonly children?: ComponentChildren
}) {
  const { members, components, values, onChange, keyName, keyNames } = props
  const [isRaw, setRaw] = useState(false)
  const [isTried, setTried] = useState(false)
  const problems = problemsOf(values, members, components)
  const shown = isTried || isRaw ? problems : typedOnly(problems, values)
  const invalid = problems.size > 0
  const send = async () => {
    // The first press shows what is wrong; a gateway is also asked what it says to that.
    if (invalid && !isTried) setTried(true)
    else await props.onSend()
  }
  return (
    <form
      class="panel stack"
      aria-label="Request"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {props.children}
      {members.length === 0 ? <p class="muted">It takes no parameters.</p> : null}
      {isRaw ? (
        <JsonField
          label="Parameters as JSON"
          rows={16}
          value={values}
          onChange={(next) => onChange(isRecord(next) ? next : {})}
        />
      ) : (
        members.map((member) => (
          <SchemaField
            key={member.name}
            {...member}
            path={member.name}
            value={values[member.name]}
            onChange={(next) => onChange(withMember(values, member.name, next))}
            {...{ components, problems: shown }}
          />
        ))
      )}
      {invalid && (isRaw || isTried) ? <ProblemList problems={problems} /> : null}
      <SelectField
        label="Key"
        value={keyName}
        help={props.keyHelp}
        options={keyNames.map((name) => ({ value: name, text: name }))}
        onChange={props.onKey}
      />
      <div class="row">
        <Button
          kind="primary"
          onPress={send}
          disabled={props.refused !== undefined}
          title={props.refused}
        >
          {invalid && isTried ? 'Send anyway' : 'Send'}
        </Button>
        {members.length === 0 ? null : (
          <Button onPress={() => props.onExample()}>Fill in an example</Button>
        )}
        <Button onPress={() => setRaw(!isRaw)}>{isRaw ? 'Edit as form' : 'Edit as JSON'}</Button>
        <CopyButton label="Copy as curl" text={props.curl} />
      </div>
      {props.refused === undefined ? null : <p class="muted">{props.refused}</p>}
    </form>
  )
}

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function valueAt(values: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], values)
}

/** Nobody is told that a field is wrong before typing into it. */
const typedOnly = (problems: Problems, values: Values): Problems =>
  new Map(
    [...problems].filter(([path]) => {
      const value = valueAt(values, path)
      return value !== undefined && value !== '' && typeof value !== 'object'
    }),
  )

const ProblemList = ({ problems }: { readonly problems: Problems }) => (
  <Notice tone="warn">
    The parameters do not match the schema of the method:
    <ul>
      {[...problems].map(([path, problem]) => (
        <li key={path}>
          <code>{path === '' ? 'parameters' : path}</code>: {problem}
        </li>
      ))}
    </ul>
  </Notice>
)
