import { sectionClauses } from './clause.ts'

/** Section 2.1: scalar types of the gateway. */
export const section2_1 = sectionClauses('2.1', {
  '01': 'A Quantity is a hex string with the 0x prefix.',
  '02': 'A Quantity is in its most compact form: without leading zeros.',
  '03': 'The Quantity zero is 0x0.',
  '04': 'Data is a hex string with the 0x prefix.',
  '05': 'Data has two digits a byte: an odd digit count is refused.',
  '06': 'Empty Data is 0x.',
  '07': 'An Address is 20 bytes as hex with the 0x prefix.',
  '08': 'Addresses are case-insensitive on the way in.',
  '09': {
    text: 'The checksummed form of an address is recommended.',
    level: 'should',
    noCheck: 'advice to callers; both forms are accepted, which 2.1-08 checks',
  },
  '10': 'wasm_args is the hex encoding of a UTF-8 JSON string.',
  '11': {
    text: 'wasm_args is always sent with the 0x prefix.',
    noCheck: 'an obligation of the caller; what a gateway does without it is 2.1-13',
  },
  '12': { text: 'A JSON-RPC id that is a string is accepted.', profile: 'base' },
  '13': {
    text: 'What a gateway does with hex without 0x in wasm_args, intent_signature and quorum_number.',
    open: true,
  },
  '14': {
    profile: 'base',
    text: 'What a gateway does with a numeric id, which is valid JSON-RPC.',
    open: true,
  },
  '15': 'Quantity, Data and Address have the same forms in results.',
  '16': 'A Quantity is a string: a JSON number in its place is refused.',
  '17': 'Hex digits outside 0-9 and a-f are refused.',
})
