/**
 * Whose semantics apply where OPA 1.2 and the engine at 0.9 disagree and policies may rely on either
 * (decision R14).
 */
export type Dialect = 'engine-0.9' | 'opa-1.2'

/** The dialect of a profile of built-ins. */
export const dialectOf = (profile: string): Dialect =>
  profile === 'service' ? 'engine-0.9' : 'opa-1.2'
