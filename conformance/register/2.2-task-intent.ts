import { sectionClauses } from './clause.ts'

/** Section 2.2: the intent. */
export const section2_2 = sectionClauses('2.2', {
  '01': 'from is required and an Address.',
  '02': 'to is required and an Address.',
  '03': 'value is required and a Quantity of wei.',
  '04': 'data is required and Data.',
  '05': 'chain_id is required and a Quantity.',
  '06': 'function_signature is required and Data.',
  '07': {
    text: 'function_signature is the hex encoding of the readable ABI signature, such as transfer(address,uint256), and decodes the calldata.',
    profile: 'simulation',
  },
  '08': {
    text: 'An intent without calldata has 0x as data and as function_signature, and is evaluated.',
    profile: 'simulation',
  },
  '09': 'A contract call has ABI-encoded calldata and is evaluated with its function and arguments.',
  '10': {
    text: 'The explorer shows intents in camelCase with a numeric chain id.',
    profile: 'explorer',
  },
  '11': 'The intent in a task result is the intent that was sent.',
  '12': {
    profile: 'simulation',
    text: 'What a gateway does with calldata that the signature does not decode.',
    open: true,
  },
  '13': {
    profile: 'simulation',
    text: 'What a gateway does with a 4-byte selector as function_signature.',
    open: true,
  },
  '14': { text: 'What a gateway does with an intent for a chain other than its own.', open: true },
  '15': { text: 'What a gateway does with camelCase members in place of snake_case.', open: true },
})
