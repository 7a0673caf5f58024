/** What a check knows beside an observed value, by name. */
export type Facts = Readonly<Record<string, unknown>>

/** What was expected of an observed value, where it is not so; undefined where it is. */
export type Expectation = (
  value: unknown,
  facts: Facts,
) => { readonly expected: unknown } | undefined

/**
 * What is expected of one point that a check observes.
 *
 * @throws Error for a point without an expectation
 */
export type ExpectationOf = (checkId: string, point: string) => Expectation
