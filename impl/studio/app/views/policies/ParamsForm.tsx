import type { ClientChange, ClientDetail, PolicyDetail } from 'polgate-protocol/control/policies.ts'
import { useEffect, useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { Button } from '../../ui/Button.tsx'
import { TextAreaField, TextField } from '../../ui/Field.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { RedecideResult } from '../redecide/RedecideResult.tsx'
import { useRedecide } from '../redecide/useRedecide.ts'
import { MemberField } from './MemberField.tsx'
import { Unchangeable } from './OwnerForm.tsx'
import { formFields, paramsFault } from './params/formFields.ts'
import { memberTexts, textOfMembers, withMember } from './params/memberTexts.ts'

/**
 * The parameters of a client as a form, what they would change for past tasks, and setting them.
 *
 * @param props.other another policy, which is set with them
 */
export function ParamsForm(props: {
  readonly client: ClientDetail
  readonly other?: PolicyDetail | undefined
  readonly onSet: () => void
}) {
  const { client, other, onSet } = props
  const of = other === undefined ? {} : { policyAddress: other.address }
  const schema = (other ?? client.policy)?.paramsSchema?.text ?? null
  const [text, setText] = useState(client.params)
  const [expireAfter, setExpireAfter] = useState(String(client.expireAfter))
  const [asJson, setAsJson] = useState(false)
  const [error, setError] = useState<Error>()
  const [done, setDone] = useState<ClientChange>()
  // Another version, set here or elsewhere: what was typed is of the one before.
  const reset = () => {
    setText(client.params)
    setExpireAfter(String(client.expireAfter))
  }
  useEffect(reset, [client.policyId])

  const members = memberTexts(text)
  const fields = formFields(schema, members ?? [])
  const fault = paramsFault(text, fields)
  const redecided = useRedecide(
    client.address,
    fault === undefined ? { ...of, params: text } : undefined,
  )
  const blocks = /^[1-9]\d{0,9}$/.test(expireAfter) ? Number(expireAfter) : undefined
  const unfit = redecided.answer?.paramsProblem ?? null
  const isEdited = text !== client.params || blocks !== client.expireAfter
  const isChanged = isEdited || other !== undefined

  const set = async () => {
    setError(undefined)
    try {
      const body = { ...of, params: text, expireAfter: blocks }
      setDone(await control.post<ClientChange>(`/clients/${client.address}/policy`, body))
      onSet()
    } catch (reason) {
      setError(reason as Error)
    }
  }
  return (
    <div class="stack">
      <div class="columns">
        <div class="stack">
          {fields === undefined || members === undefined || asJson ? (
            <TextAreaField
              label="Parameters (JSON)"
              value={text}
              onChange={setText}
              rows={10}
              error={fault}
            />
          ) : (
            fields.map((field) => (
              <MemberField
                key={field.name}
                field={field}
                text={members.find(([name]) => name === field.name)?.[1]}
                onChange={(value) => setText(textOfMembers(withMember(members, field.name, value)))}
              />
            ))
          )}
          <TextField
            label="Attestations are valid for (blocks)"
            value={expireAfter}
            onChange={setExpireAfter}
            error={blocks === undefined ? 'This is not a whole number from 1.' : undefined}
          />
          <div class="row">
            {client.canChange ? (
              <Button
                kind="primary"
                disabled={
                  fault !== undefined || blocks === undefined || unfit !== null || !isChanged
                }
                onPress={set}
              >
                Set policy
              </Button>
            ) : null}
            <Button disabled={!isEdited} onPress={reset}>
              Reset
            </Button>
            {fields === undefined ? null : (
              <Button onPress={() => setAsJson(!asJson)}>{asJson ? 'As a form' : 'As JSON'}</Button>
            )}
          </div>
          {client.canChange ? null : <Unchangeable client={client} />}
          <ErrorNotice error={error} />
          {done === undefined ? null : (
            <Notice>
              Set in block {done.block}. Attestations under the policy and the parameters before are
              refused from now on.
            </Notice>
          )}
        </div>
        <section class="stack panel" aria-label="Past tasks with these parameters">
          <h2>
            With {other === undefined ? 'these' : 'this policy and these'} parameters the last 100
            tasks would have been decided
          </h2>
          <RedecideResult redecided={redecided} />
        </section>
      </div>
    </div>
  )
}
