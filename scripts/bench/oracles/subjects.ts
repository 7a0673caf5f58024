const subjects = [
  { name: 'echo', what: 'component text, no calls', input: '{"value":1}' },
  { name: 'rates', what: 'Rust, one HTTP call', input: '{"symbol":"ETH"}' },
  { name: 'price', what: 'JavaScript, one HTTP call', input: '{"symbol":"ETH"}' },
] as const

/** The measured oracles, one of each toolchain; quickly the one without a toolchain. */
export const subjectsOf = ({ quick }: { readonly quick: boolean }) =>
  quick ? subjects.slice(0, 1) : subjects
