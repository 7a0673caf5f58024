import type { Tracer } from 'polgate-rego/evaluate/tracer.ts'

/** Passes the events of one evaluation to several tracers. */
export const tracersOf = (tracers: readonly Tracer[]): Tracer => ({
  enterRule: (...event) => {
    for (const each of tracers) each.enterRule?.(...event)
  },
  exitRule: (...event) => {
    for (const each of tracers) each.exitRule?.(...event)
  },
  enter: (...event) => {
    for (const each of tracers) each.enter?.(...event)
  },
  pass: (...event) => {
    for (const each of tracers) each.pass?.(...event)
  },
  exit: (...event) => {
    for (const each of tracers) each.exit?.(...event)
  },
})
