/** Folders of `impl/cli/templates` and what each decides about, in the order of the help. */
const templates = {
  'price-feed': 'value at the price of a feed',
  kyc: 'sender verified by a provider',
  counterparty: 'recipient screened',
  'spending-limit': 'per transfer and per day',
  'multi-oracle': 'price and sanctions',
  'signed-intent': 'an approver has signed; no oracle',
  'kyc-gate': 'identity of the sender',
  'sanctions-list': 'confidential list',
  'sealed-bid': 'data that is sealed for one task',
} as const

type TemplateName = keyof typeof templates

export const templateNames = Object.keys(templates) as readonly TemplateName[]

const width = Math.max(...templateNames.map((name) => name.length))

/** One line for each template. */
export const templateLines = templateNames
  .map((name) => `  ${name.padEnd(width)}  ${templates[name]}`)
  .join('\n')

export type InitPolicyOptions = { readonly template?: TemplateName }
