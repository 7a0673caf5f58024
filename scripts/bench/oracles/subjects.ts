/** The measured oracles, one of each toolchain. */
export const subjects = [
  { name: 'echo', what: 'component text, no calls', input: '{"value":1}' },
  { name: 'rates', what: 'Rust, one HTTP call', input: '{"symbol":"ETH"}' },
  { name: 'price', what: 'JavaScript, one HTTP call', input: '{"symbol":"ETH"}' },
] as const
