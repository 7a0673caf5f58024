/** What the values of a parameter look like, as far as the specification says. */
export type Kind =
  | 'address'
  | 'quantity'
  /** A quantity that may also be decimal text (section 4.4 shows one). */
  | 'chain id'
  | 'data'
  /** Hex bytes whose 0x prefix the specification leaves open (clause 2.1-13, section 2.4). */
  | 'bytes'
  | '32 bytes'
  | 'text'
  | 'number'
  /** A chain id as a JSON number. */
  | 'chain number'
  | 'uint32'
  | 'boolean'
  | 'object'
  | 'array'
