/** Style of the documentation page: one column, readable on a phone, light or dark. */
export const docsStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --mark: #0a7d4b }
@media (prefers-color-scheme: dark) { :root { --mark: #5ecb97 } }
* { box-sizing: border-box }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.6rem; line-height: 1.2 }
h2 { font-size: 1.25rem; margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1.5rem }
h3 { font-size: 1.05rem; margin-top: 2rem; overflow-wrap: anywhere }
h4 { font-size: 1rem; margin-bottom: .25rem }
a { color: inherit }
code, pre { font: .88em/1.5 ui-monospace, monospace }
code { background: var(--soft); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere }
pre { background: var(--soft); border-radius: 6px; padding: .75rem; overflow-x: auto }
pre code { background: none; padding: 0; overflow-wrap: normal }
.method { color: var(--mark); font-weight: 700 }
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line) }
td:first-child { white-space: nowrap }
td { min-width: 6rem }
nav ul { list-style: none; padding: 0 }
nav li { padding: .2rem 0; overflow-wrap: anywhere }
/* Three columns do not fit beside each other: a row becomes a paragraph. */
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; min-width: 0 }
  thead { display: none }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line) }
  td { padding: 0; border: 0; overflow-wrap: anywhere }
  td:first-child { white-space: normal }
}
`
