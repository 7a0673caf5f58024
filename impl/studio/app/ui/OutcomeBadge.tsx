import { Badge, type Tone } from './Badge.tsx'

const tones: Readonly<Record<string, Tone>> = {
  ...{ allow: 'good', success: 'good', deny: 'warn', failed: 'bad', timeout: 'bad' },
}

/** How a task or an evaluation ended: the decision, with its value where that is no boolean, or the state. */
export const OutcomeBadge = (props: { readonly outcome: string; readonly value?: unknown }) => (
  <>
    <Badge tone={tones[props.outcome] ?? 'neutral'}>{props.outcome}</Badge>
    {props.value === undefined || typeof props.value === 'boolean' ? null : (
      <code>{JSON.stringify(props.value)?.slice(0, 300)}</code>
    )}
  </>
)

/** Of a task: its decision, once there is one; otherwise its status. */
export const outcomeOfTask = (status: string, allow: boolean | undefined): string =>
  status !== 'success' || allow === undefined ? status : allow ? 'allow' : 'deny'
