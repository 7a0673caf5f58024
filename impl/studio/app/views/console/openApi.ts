import { type Components, type Member, resolved, type Schema } from './schema.ts'

/** A path of the explorer, which is read with GET. */
export type ExplorerOperation = {
  /** With parameters in braces: `/v1/task/{task_id}`. */
  readonly path: string
  readonly summary: string
  readonly members: readonly Member[]
  /** Where each parameter goes. */
  readonly places: Readonly<Record<string, 'path' | 'query' | 'header'>>
}

export type ExplorerDocument = {
  readonly operations: readonly ExplorerOperation[]
  readonly components: Components
}

type Parameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type OpenApi = {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get?: {
          readonly summary?: string
          readonly parameters?: readonly Parameter[]
        }
      }
    >
  >
  readonly components?: Components & { readonly parameters?: Readonly<Record<string, Parameter>> }
}

const prefix = '#/components/parameters/'

export function explorerDocument(document: unknown): ExplorerDocument {
  const { paths, components = {} } = document as OpenApi
  const operations = Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined) return []
    const parameters = (get.parameters ?? []).flatMap((parameter) =>
      parameter.$ref === undefined
        ? [parameter]
        : (components.parameters?.[parameter.$ref.slice(prefix.length)] ?? []),
    )
    return [
      {
        ...{ path, summary: get.summary ?? '' },
        members: parameters.map(({ name, required, description, schema }) => ({
          name,
          required: required === true,
          schema: {
            ...resolved(schema, components),
            ...(description === undefined ? {} : { description }),
          },
        })),
        places: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.in])),
      },
    ]
  })
  return { operations, components }
}

/** The path with its query, and the headers, for values of the form; what is empty is left out. */
export function requestOf(
  { path, places }: ExplorerOperation,
  values: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly headers: Readonly<Record<string, string>> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const of = (place: string) =>
    given.filter(([name]) => places[name] === place).map(([name, value]) => [name, String(value)])
  const filled = of('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value!)),
    path,
  )
  const query = new URLSearchParams(of('query') as [string, string][]).toString()
  return {
    path: `${filled}${query === '' ? '' : `?${query}`}`,
    headers: Object.fromEntries(of('header')),
  }
}
