import { Badge, type Tone } from '../../ui/Badge.tsx'

const tones: Readonly<Record<string, Tone>> = { success: 'good', failed: 'bad', timeout: 'bad' }

export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={tones[status] ?? 'neutral'}>{status}</Badge>
)

export const DecisionBadge = ({ allow }: { readonly allow: boolean }) => (
  <Badge tone={allow ? 'good' : 'bad'}>{allow ? 'allow' : 'deny'}</Badge>
)
