import type { PrivateUses } from 'polgate-rego/privateUses.ts'

export type { PrivateUses }

export const usesNothing = ({ identity, confidential, privacy }: PrivateUses): boolean =>
  !identity && !privacy && confidential !== 'all' && confidential.length === 0
