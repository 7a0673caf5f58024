import type { Tracer } from 'polgate-rego/evaluate/tracer.ts'

/** Combines several tracers into one. */
export const combined = (tracers: readonly Tracer[]): Tracer | undefined => {
  const [first] = tracers
  if (first === undefined || tracers.length === 1) return first
  return {
    enterRule: (rule, branch) => {
      for (const each of tracers) each.enterRule?.(rule, branch)
    },
    exitRule: (rule, branch, value) => {
      for (const each of tracers) each.exitRule?.(rule, branch, value)
    },
    enter: (literal) => {
      for (const each of tracers) each.enter?.(literal)
    },
    pass: (literal) => {
      for (const each of tracers) each.pass?.(literal)
    },
    exit: (literal, operands) => {
      for (const each of tracers) each.exit?.(literal, operands)
    },
  }
}
