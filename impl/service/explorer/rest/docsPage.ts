import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { docsStyle } from './docsStyle.ts'
import type { OpenApiDocument } from './openApi.ts'
import { schemaWords } from './schemaWords.ts'

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Readonly<Record<string, unknown>>
}
type Body = {
  readonly schema: unknown
  readonly examples?: Readonly<Record<string, { readonly value: { readonly detail: string } }>>
}
type Answer = {
  readonly description: string
  readonly content: { readonly 'application/json': Body }
}
type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly responses: Readonly<Record<string, Answer>>
}
type Schema = {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** Text between backticks becomes code; everything else is escaped. */
const prose = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))

const table = (head: readonly string[], rows: readonly (readonly unknown[])[]) => html`
<div class="table"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`

const code = (text: string) => html`<code>${text}</code>`

/** A type in words, with links to the schemas that it names. */
const typeOf = (schema: unknown) =>
  schemaWords(schema).map((word) =>
    word.kind === 'schema' ? html`<a href="#schema-${word.text}">${word.text}</a>` : word.text,
  )

function parameters(operation: Operation) {
  const own = operation.parameters.filter((each): each is Parameter => 'name' in each)
  if (own.length === 0) return ''
  const row = ({ name, in: place, required, description, schema }: Parameter) => [
    code(name),
    `${place}${required ? ', required' : ''}`,
    typeOf(schema),
    prose(description ?? ''),
  ]
  return html`<h4>Parameters</h4>${table(['name', 'in', 'type', 'description'], own.map(row))}`
}

function answers({ responses }: Operation) {
  const row = ([status, { description, content }]: [string, Answer]) => {
    const { schema, examples } = content['application/json']
    const details = Object.values(examples ?? {}).map(({ value }) => value.detail)
    return [
      code(status),
      [...prose(description), ...details.map((detail) => html`<br>${code(detail)}`)],
      typeOf(schema),
    ]
  }
  const rows = Object.entries(responses).map(row)
  return html`<h4>Responses</h4>${table(['status', 'description', 'body'], rows)}`
}

/** A curl command; words in capitals are to be replaced. */
function curl(path: string, operation: Operation, networkHeader: string): string {
  const needed = operation.parameters.filter(
    (each): each is Parameter => 'name' in each && each.in === 'query' && each.required,
  )
  const query = needed.map(({ name }) => `${name}=2026-01-01T00:00:00Z`).join('&')
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  return [
    `curl -s '$EXPLORER_URL${address}${query === '' ? '' : `?${query}`}' \\`.replaceAll("'", '"'),
    `  -H "Authorization: Bearer $API_KEY" -H "${networkHeader}: testnet"`,
  ].join('\n')
}

function operationSection(path: string, operation: Operation, networkHeader: string) {
  const { operationId, summary, description } = operation
  return html`
<section id="${operationId}">
<h3><span class="method">GET</span> ${path}</h3>
<p>${prose(`${summary}. ${description ?? ''}`)}</p>
<pre><code>${curl(path, operation, networkHeader)}</code></pre>
${parameters(operation)}
${answers(operation)}
</section>`
}

function schemaSection(name: string, schema: unknown) {
  const { properties, required = [] } = schema as Schema
  const rows = Object.entries(properties ?? {}).map(([member, type]) => [
    code(member),
    typeOf(type),
    [
      ...prose((type as { description?: string }).description ?? ''),
      required.includes(member) ? '' : ' optional',
    ],
  ])
  return html`<h3 id="schema-${name}">${name}</h3>${table(['member', 'type', 'description'], rows)}`
}

/**
 * The documentation page: the OpenAPI document in readable form. It is self-contained, without
 * scripts or external resources, and its content security policy permits nothing else.
 */
export function docsPage(document: OpenApiDocument) {
  const { info, components } = document
  const { network } = components.parameters
  const paths = Object.entries(document.paths).map(
    ([path, { get }]) => [path, get as unknown as Operation] as const,
  )
  const text = String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<style>${raw(docsStyle)}</style>
</head>
<body>
<h1>${info.title}</h1>
<p>Version ${info.version}. As an OpenAPI document: <a href="openapi.json">openapi.json</a>.</p>
${info.description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`)}
<h2>Headers</h2>
${table(
  ['header', 'required', 'description'],
  [
    [
      code('Authorization: Bearer ...'),
      'one of two',
      prose(components.securitySchemes.bearer.description),
    ],
    [code('X-API-Key: ...'), 'one of two', prose(components.securitySchemes.apiKey.description)],
    [code(network.name), 'no', [`${network.description} `, typeOf(network.schema)]],
  ],
)}
<h2>Paths</h2>
<nav><ul>
${paths.map(([path, { operationId, summary }]) => html`<li><a href="#${operationId}">${path}</a> ${summary}</li>`)}
</ul></nav>
${paths.map(([path, operation]) => operationSection(path, operation, network.name))}
<h2>Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}
</body>
</html>
`)
  const style = createHash('sha256').update(docsStyle).digest('base64')
  return {
    html: text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  }
}
