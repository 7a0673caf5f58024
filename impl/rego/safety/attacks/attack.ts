/** A policy written to exhaust its evaluator. */
export type Attack = {
  readonly name: string
  readonly source: string
  readonly query?: string
  readonly inputJson?: string
  readonly dataJson?: string
}

export const repeat = (text: string, times: number): string => text.repeat(times)

/** A policy with one rule `p`. */
export const rule = (name: string, body: string, rest: Partial<Attack> = {}): Attack => ({
  name,
  source: `package a\n\np := x if {\n${body}\n}\n`,
  ...rest,
})

export function doubling(name: string, first: string, step: (previous: string) => string): Attack {
  const lines = [`x0 := ${first}`]
  for (let i = 1; i <= 60; i++) lines.push(`x${i} := ${step(`x${i - 1}`)}`)
  return rule(name, [...lines, 'x := count([x60])'].join('\n'))
}
