import { builtinJson, type CapabilityJson } from 'polgate-rego/builtins/typeJson.ts'
import { type Bundle, documentPath, type Manifest } from 'polgate-rego/bundle/bundle.ts'
import { checkModules } from 'polgate-rego/check/checkModules.ts'
import { constantPath } from 'polgate-rego/compile/references.ts'
import { pathText } from 'polgate-rego/compile/resolved.ts'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import type { RegoError } from 'polgate-rego/errors.ts'
import { indentJson } from 'polgate-rego/report/answer.ts'
import { missingBuiltins } from 'polgate-rego/report/availability.ts'
import type { Module } from 'polgate-rego/syntax/ast.ts'
import { print } from '../print.ts'
import { openBundle } from '../rego/bundleFiles.ts'
import { allCapabilities } from '../rego/capabilities.ts'
import { readText } from '../rego/files.ts'
import { table } from '../rego/tables.ts'
import { showErrors } from '../rego/terminal.ts'
import { annotationsOf } from './inspectAnnotations.ts'

export type InspectOptions = {
  readonly format: 'json' | 'pretty'
  readonly annotations?: boolean
}

/** `polgate opa inspect`: the manifest, packages, data and annotations of a bundle or a policy; exit code 1 for errors. */
export async function opaInspect(path: string, options: InspectOptions): Promise<void> {
  const { manifest, files } = contents(path)
  const isArchive = path.endsWith('.tar.gz')
  const namespaces = new Map<string, string[]>()
  const inners = new Map<string, string>()
  const add = (name: string, file: string): void => {
    namespaces.set(name, [...(namespaces.get(name) ?? []), file])
  }
  const sources: ModuleSource[] = []
  for (const { path: file, inner, read } of files) {
    if (!inner.endsWith('.rego')) {
      add(pathText(documentPath({ inner })), isArchive ? inner : file)
      continue
    }
    const source = read()
    sources.push({ name: file, source })
    inners.set(file, inner)
  }
  const { errors, modules } = checkModules({
    ...{ modules: sources, builtins: allCapabilities, dialect: 'opa-1.2' },
  })
  const refused = errors.map(({ error }) => error).filter((error) => !isOfCaller(error))
  process.exitCode = refused.length === 0 ? 0 : 1
  if (refused.length > 0) {
    showErrors(refused, { modules: sources, capabilities: allCapabilities }, process.stderr)
    return
  }
  for (const { package: pkg } of modules) {
    const { file } = pkg.span.source
    add(pathText(constantPath(pkg.path.path)), isArchive ? (inners.get(file) ?? file) : file)
  }
  const annotations = options.annotations === true ? await annotationsOf(modules) : []
  const sorted = [...namespaces].sort(([a], [b]) => (a < b ? -1 : 1))
  if (options.format === 'json') {
    print(
      indentJson(
        JSON.stringify({
          ...(manifest === undefined ? {} : { manifest }),
          signatures_config: {},
          ...(sorted.length === 0 ? {} : { namespaces: Object.fromEntries(sorted) }),
          ...(annotations.length === 0 ? {} : { annotations }),
          capabilities: { builtins: calledBuiltins(modules), features: ['rego_v1'] },
        }),
      ),
    )
    return
  }
  section('MANIFEST', ['FIELD', 'VALUE'], manifestRows(manifest))
  section(
    'NAMESPACES',
    ['NAMESPACE', 'FILE'],
    sorted.flatMap(([name, all]) => all.map((file) => [name, file])),
  )
  if (annotations.length > 0) print(`ANNOTATIONS:\n${indentJson(JSON.stringify(annotations))}`)
}

/** What a bundle calls may be defined by the program that loads it; then OPA does not check which variables are safe. */
const isOfCaller = ({ code, message }: RegoError): boolean =>
  code === 'rego_unsafe_var_error' || message.startsWith('undefined function')

/** The built-ins that modules call, sorted, with their types. */
function calledBuiltins(modules: readonly Module[]): readonly CapabilityJson[] {
  const called = new Set(missingBuiltins(modules, allCapabilities, NONE).map(({ name }) => name))
  return [...called].sort().flatMap((name) => {
    const builtin = allCapabilities.get(name)
    return builtin === undefined ? [] : [builtinJson(builtin)]
  })
}

const NONE: ReadonlySet<string> = new Set()

/** The roots of a bundle without a manifest are all paths. */
function contents(path: string): Bundle {
  if (path.endsWith('.rego')) {
    const file = { path, inner: path, read: () => readText(path) }
    return { manifest: undefined, files: [file] }
  }
  const { manifest, files } = openBundle(path, {})
  return { manifest: { revision: '', roots: [''], ...manifest }, files }
}

function manifestRows(manifest: Manifest | undefined): readonly (readonly string[])[] {
  if (manifest === undefined) return []
  const { revision = '', roots = [], metadata, rego_version: version } = manifest
  return [
    ...(version === undefined ? [] : [['Rego Version', String(version)]]),
    ...(revision === '' ? [] : [['Revision', revision]]),
    ...roots.filter((root) => root !== '').map((root) => ['Roots', root]),
    ...(metadata === undefined ? [] : [['Metadata', JSON.stringify(metadata)]]),
  ]
}

function section(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  if (rows.length > 0) print(`${title}:\n${table([head, ...rows]).join('\n')}`)
}
