import type { CompiledQuery } from '../compile/program.ts'
import type { Location } from '../errors.ts'
import type { Value } from '../values/value.ts'
import { chargeAnswer } from './answer.ts'
import type { Frame, Next } from './closure.ts'
import type { Context } from './context.ts'
import type { Machine } from './machine.ts'

type Expression = {
  readonly value: Value
  readonly text: string
  readonly location: Location
}

export type Row = {
  readonly bindings: ReadonlyMap<string, Value>
  readonly expressions: readonly Expression[]
}

const NO_BINDINGS: ReadonlyMap<string, Value> = new Map()

/** Builds the closure of a query, which collects its rows. */
export function planQuery(machine: Machine, query: CompiledQuery): (c: Context) => readonly Row[] {
  const planner = machine.compiler.planner(1)
  planner.begin(new Map())
  const kept = planner.query(query.body)
  const vars = query.vars.flatMap(({ name, local }) => {
    const slot = planner.slotOf(local)
    return slot === undefined ? [] : [{ name, slot }]
  })
  const literals = [...query.body]
    .sort((a, b) => a.span.start - b.span.start)
    .map((literal) => ({
      slot: kept.get(literal),
      text: literal.span.text,
      location: literal.span.location,
    }))
  const collect: Next = (c, f) => {
    c.run.allocate(256)
    const bindings =
      vars.length === 0
        ? NO_BINDINGS
        : new Map(vars.map(({ name, slot }) => [name, f[slot] as Value] as const))
    const expressions = literals.map(({ slot, text, location }) => ({
      value: slot === undefined ? true : (f[slot] as Value),
      text,
      location,
    }))
    for (const value of bindings.values()) chargeAnswer(c.run, value)
    for (const { value } of expressions) chargeAnswer(c.run, value)
    const rows = f[0] as unknown as Row[] | undefined
    // An array that begins with its one row is a ninth as large as one that grows to it.
    if (rows === undefined) f[0] = [{ bindings, expressions }] as unknown as Value
    else rows.push({ bindings, expressions })
    return false
  }
  const run = machine.compiler.builder.block(planner.finish(), collect)
  const slots = planner.slotCount
  return (c) => {
    const f: Frame = new Array(slots)
    run(c, f)
    return (f[0] as unknown as Row[] | undefined) ?? []
  }
}
