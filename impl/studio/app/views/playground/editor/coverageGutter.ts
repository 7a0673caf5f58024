import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state'
import { GutterMarker, gutter } from '@codemirror/view'

/** Rows, from 1, of the text as it is shown. */
export type CoveredRows = {
  readonly covered: readonly number[]
  readonly notCovered: readonly number[]
}

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

const reached = new Mark('cm-covered', 'evaluated')
const missed = new Mark('cm-not-covered', 'not evaluated, or its body did not hold')

/** Replaces the marks; undefined removes them. */
export const setCoverage = StateEffect.define<CoveredRows | undefined>()

const marks = StateField.define<RangeSet<Mark>>({
  create: () => RangeSet.empty,
  update(known, { state, effects, changes }) {
    let found = known.map(changes)
    for (const effect of effects) {
      if (!effect.is(setCoverage)) continue
      const { covered = [], notCovered = [] } = effect.value ?? {}
      const rows = [
        ...covered.map((row) => [row, reached] as const),
        ...notCovered.map((row) => [row, missed] as const),
      ].filter(([row]) => row >= 1 && row <= state.doc.lines)
      const ranges = rows
        .sort(([a], [b]) => a - b)
        .map(([row, mark]) => mark.range(state.doc.line(row).from))
      found = RangeSet.of(ranges)
    }
    return found
  },
})

/** A gutter that shows which rows an evaluation reached. */
export const coverageGutter: Extension = [
  marks,
  gutter({ class: 'cm-coverage', markers: (view) => view.state.field(marks) }),
]
