import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension, Transaction } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import type { Diagnostic } from '../../../../playground/evaluation.ts'
import { coverageGutter, type LineOutcomes, setCoverage } from './coverageGutter.ts'
import { editorTheme } from './editorTheme.ts'
import { placedDiagnostics } from './placedDiagnostics.ts'
import { rego } from './regoMode.ts'

const languages: Readonly<Record<'rego' | 'json', () => Extension>> = {
  rego: () => [rego, coverageGutter],
  json,
}

/**
 * An editor in a shadow tree, where its styles are constructed sheets, which the policy of the page
 * allows. Tab leaves it, as every other field.
 */
export function CodeEditor(props: {
  readonly label: string
  readonly language: 'rego' | 'json'
  /** The text to begin with, and again when `revision` changes; what is typed goes to `onChange`. */
  readonly value: string
  readonly revision: number
  readonly onChange: (value: string) => void
  readonly diagnostics?: readonly Diagnostic[] | undefined
  readonly outcomes?: LineOutcomes | undefined
}) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useRef(props.onChange)
  changed.current = props.onChange

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: props.value,
        extensions: [
          ...[lineNumbers(), history(), bracketMatching(), indentOnInput(), lintGutter()],
          keymap.of([...defaultKeymap, ...historyKeymap]),
          ...[languages[props.language](), editorTheme, EditorView.lineWrapping],
          EditorView.contentAttributes.of({ 'aria-label': props.label, tabindex: '0' }),
          EditorView.updateListener.of(({ docChanged, transactions, state }) => {
            const own = transactions.some((each) => each.annotation(Transaction.remote))
            if (docChanged && !own) changed.current(state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])

  useEffect(() => {
    const editor = view.current!
    // Not with every change of the value: it may be of an earlier key than the last one.
    if (editor.state.doc.toString() === props.value) return
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: props.value },
      annotations: Transaction.remote.of(true),
    })
  }, [props.revision])
  useEffect(() => {
    const { state } = view.current!
    view.current!.dispatch(setDiagnostics(state, placedDiagnostics(state, props.diagnostics ?? [])))
  }, [props.diagnostics])
  useEffect(() => {
    if (props.language === 'rego')
      view.current!.dispatch({ effects: setCoverage.of(props.outcomes) })
  }, [props.outcomes])

  return (
    <div class="stack editor">
      <strong aria-hidden="true">{props.label}</strong>
      <div ref={host} />
    </div>
  )
}
