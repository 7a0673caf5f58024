import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state'
import { GutterMarker, gutter } from '@codemirror/view'
import type { lineOutcomes } from '../../../rules/ruleOutcome.ts'

/** By row, from 1, of the text as it is shown. */
export type LineOutcomes = ReturnType<typeof lineOutcomes>

class Mark extends GutterMarker {
  private readonly name: string
  private readonly title: string
  constructor(name: string, title: string) {
    super()
    this.name = name
    this.title = title
  }
  override toDOM(): Node {
    const element = document.createElement('div')
    element.className = this.name
    element.title = this.title
    return element
  }
}

const markOf = {
  reached: new Mark('cm-covered', 'reached'),
  held: new Mark('cm-covered', 'held'),
  'did not hold': new Mark('cm-not-covered', 'did not hold'),
  'not reached': new Mark('cm-not-covered', 'not reached'),
} as const

/** Replaces the marks; undefined removes them. */
export const setCoverage = StateEffect.define<LineOutcomes | undefined>()

const marks = StateField.define<RangeSet<Mark>>({
  create: () => RangeSet.empty,
  update(known, { state, effects, changes }) {
    let found = known.map(changes)
    for (const effect of effects) {
      if (!effect.is(setCoverage)) continue
      const ranges = [...(effect.value ?? [])]
        .filter(([row]) => row >= 1 && row <= state.doc.lines)
        .sort(([a], [b]) => a - b)
        .map(([row, outcome]) => markOf[outcome].range(state.doc.line(row).from))
      found = RangeSet.of(ranges)
    }
    return found
  },
})

/** A gutter that shows what an evaluation did on each line. */
export const coverageGutter: Extension = [
  marks,
  gutter({ class: 'cm-coverage', markers: (view) => view.state.field(marks) }),
]
