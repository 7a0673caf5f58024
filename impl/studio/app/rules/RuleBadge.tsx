import { Badge, type Tone } from '../ui/Badge.tsx'
import type { RuleOutcome } from './ruleOutcome.ts'

const tones: Readonly<Record<RuleOutcome, Tone>> = {
  ...{ held: 'good', 'did not hold': 'neutral', 'not reached': 'neutral' },
}

export const RuleBadge = ({ outcome }: { readonly outcome: RuleOutcome }) => (
  <Badge tone={tones[outcome]}>{outcome}</Badge>
)
