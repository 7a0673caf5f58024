import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source, type Span } from 'polgate-rego/syntax/source.ts'
import type { DiffProgram } from './answers.ts'

/** The outermost `with` modifiers within a part of a syntax tree. */
function* withSpans(node: unknown): Generator<Span> {
  if (typeof node !== 'object' || node === null) return
  for (const [name, part] of Object.entries(node)) {
    if (name === 'span') continue
    if (name === 'withs') yield* (part as readonly { span: Span }[]).map(({ span }) => span)
    else yield* withSpans(part)
  }
}

/** A program without its `with` modifiers; undefined if a module cannot be parsed. */
export function withoutWiths(program: DiffProgram): DiffProgram | undefined {
  try {
    const modules = program.modules.map(({ name, source }) => {
      const { rules } = parseModule(new Source(name, source))
      const spans = [...withSpans(rules)].sort((a, b) => b.start - a.start)
      const text = spans.reduce(
        (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
        source,
      )
      return { name, source: text }
    })
    return { ...program, modules }
  } catch {
    return undefined
  }
}
