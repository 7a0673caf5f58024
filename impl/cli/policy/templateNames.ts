/** Folders of `impl/cli/templates`, in the order of the help. */
export const templateNames = [
  'price-feed',
  'kyc',
  'counterparty',
  'spending-limit',
  'multi-oracle',
  'signed-intent',
  'kyc-gate',
  'sanctions-list',
  'sealed-bid',
] as const

export type InitPolicyOptions = { readonly template: (typeof templateNames)[number] }
