import type { InboxReply } from 'polgate-protocol/control/webhooks.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { SelectField } from '../../ui/Field.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'

const options = [
  { value: '200', text: '200: delivered' },
  { value: '429', text: '429: retried' },
  { value: '429 after 5', text: '429 with Retry-After 5 s' },
  { value: '500', text: '500: retried' },
  { value: 'timeout', text: 'Nothing, until the attempt times out' },
]

const choiceOf = ({ reply, retryAfterSeconds }: InboxReply) =>
  reply === '429' && retryAfterSeconds !== undefined ? '429 after 5' : reply

/** What the receiver answers from now on. */
export function ReplyForm(props: { readonly reply: InboxReply; readonly onChanged: () => void }) {
  const { reply, onChanged } = props
  const [error, setError] = useState<Error>()
  const choose = async (value: string) => {
    const [chosen, , seconds] = value.split(' ')
    const body = {
      reply: chosen,
      ...(seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) }),
    }
    setError(undefined)
    await control.put('/webhooks/inbox/reply', body).catch((reason: Error) => setError(reason))
    onChanged()
  }
  return (
    <section class="panel stack" aria-label="Reply">
      <h2>Reply</h2>
      <SelectField
        label="The receiver answers"
        help="Attempts that fail follow each other after 100 ms, 200 ms, and so on: see Retries."
        value={choiceOf(reply)}
        options={options}
        onChange={choose}
      />
      <ErrorNotice error={error} />
    </section>
  )
}
