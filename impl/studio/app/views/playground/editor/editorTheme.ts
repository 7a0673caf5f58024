import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.atom, tags.bool], color: 'var(--good)' },
  { tag: [tags.number, tags.null], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.propertyName], color: 'var(--accent)' },
  { tag: tags.special(tags.variableName), color: 'var(--bad)' },
])

/** The editor in the colours of the page, dark and light: its variables reach into the shadow tree. */
export const editorTheme = [
  syntaxHighlighting(colours),
  EditorView.theme({
    '&': {
      fontSize: '12.5px',
      color: 'var(--text)',
      backgroundColor: 'var(--raised)',
      border: '1px solid var(--line)',
      borderRadius: 'var(--radius)',
      maxHeight: '60vh',
    },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto' },
    '.cm-content': { caretColor: 'var(--text)', minHeight: '4em' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': {
      backgroundColor: 'var(--panel)',
      color: 'var(--muted)',
      borderRight: '1px solid var(--line)',
      height: 'auto',
      alignSelf: 'stretch',
    },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
      backgroundColor: 'var(--accent-bg) !important',
    },
    '.cm-coverage': { width: '8px' },
    '.cm-covered, .cm-not-covered': { width: '4px', height: '100%', marginLeft: '2px' },
    '.cm-covered': { backgroundColor: 'var(--good)' },
    // A pattern too, for those who do not see the colour.
    '.cm-not-covered': {
      backgroundImage: 'repeating-linear-gradient(0deg, var(--bad) 0 3px, transparent 3px 6px)',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--raised)',
      color: 'var(--text)',
      border: '1px solid var(--line)',
    },
  }),
]
