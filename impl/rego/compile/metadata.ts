import type { AnnotationBlock, Module, Rule, Scalar } from '../syntax/ast.ts'
import { fromJson } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import { isArray, isObject, type ObjectValue, type Value } from '../values/value.ts'
import { pathText, type ResolvedRule } from './resolved.ts'

type Scope = 'rule' | 'document' | 'package' | 'subpackages'

type Annotation = {
  readonly scope: Scope
  /** The path it applies to, below `data`. */
  readonly path: readonly Value[]
  readonly rule: Rule | undefined
  readonly value: ObjectValue
}

export type ReadYaml = (text: string) => unknown

/** The `# METADATA` of modules, parsed on first use. */
export class Metadata {
  private readonly modules: readonly Module[]
  private readonly read: ReadYaml
  private annotations: readonly Annotation[] | undefined

  /** @param read parses the YAML of an annotation */
  constructor(modules: readonly Module[], read: ReadYaml) {
    this.modules = modules
    this.read = read
  }

  /** The value of `rego.metadata.rule()` in a rule. */
  rule(rule: ResolvedRule): Value {
    return this.own(rule)[0]?.value ?? new RegoObject()
  }

  /**
   * The value of `rego.metadata.chain()`: the rule, its document, its package, and the enclosing
   * packages.
   */
  chain(rule: ResolvedRule): readonly Value[] {
    const path = fullPath(rule)
    const own = this.own(rule)
    const links: Value[] = own.length === 0 ? [link(path)] : own.map((each) => link(path, each))
    const all = this.all()
    const same = (other: readonly Value[]): boolean =>
      other.length === path.length && other.every((part, i) => part === path[i])
    for (const each of all) {
      if (each.scope === 'document' && same(each.path)) links.push(link(path, each))
    }
    const pkg = packagePath(rule.module)
    const around = all.filter(
      ({ scope, path: at }) =>
        (scope === 'package' && at.length === pkg.length && at.every((p, i) => p === pkg[i])) ||
        (scope === 'subpackages' && at.every((p, i) => p === pkg[i])),
    )
    around.sort((a, b) => b.path.length - a.path.length || order(a) - order(b))
    for (const each of around) links.push(link(each.path, each))
    return links
  }

  /** The blocks above a rule, the nearest first, as in OPA. */
  private own(rule: ResolvedRule): readonly Annotation[] {
    return this.all()
      .filter((each) => each.scope === 'rule' && each.rule === rule.rule)
      .reverse()
  }

  private all(): readonly Annotation[] {
    this.annotations ??= this.modules.flatMap((module) =>
      module.annotations.flatMap((block) => annotation(module, block, this.read) ?? []),
    )
    return this.annotations
  }
}

const order = ({ scope }: Annotation): number => (scope === 'package' ? 0 : 1)

function link(path: readonly Value[], annotation?: Annotation): Value {
  const object = new RegoObject().set('path', path)
  return annotation === undefined ? object : object.set('annotations', annotation.value)
}

const packagePath = (module: Module): Value[] =>
  module.package.path.path.map((part) => (part as Scalar).value)

const fullPath = (rule: ResolvedRule): Value[] => [
  ...rule.path,
  ...rule.rest.map((part) => (part.kind === 'scalar' ? part.value : part.span.text)),
]

function annotation(
  module: Module,
  block: AnnotationBlock,
  read: ReadYaml,
): Annotation | undefined {
  const { target } = block
  if (target === undefined || target.kind === 'import') return undefined
  const value = yamlObject(block.yaml, read)
  const scope = (value.get('scope') ?? (target.kind === 'rule' ? 'rule' : 'package')) as Scope
  value.set('scope', value.get('entrypoint') === true && !value.has('scope') ? 'document' : scope)
  const pkg = packagePath(module)
  if (target.kind === 'package') return { scope, path: pkg, rule: undefined, value }
  const { head, path } = target.head.ref
  const name = head.kind === 'var' ? head.name : pathText([])
  const rest = path.map((part): Value => (part.kind === 'scalar' ? part.value : part.span.text))
  return {
    scope: value.get('scope') as Scope,
    path: [...pkg, name, ...rest],
    rule: target,
    value,
  }
}

/** Invalid YAML, or YAML that is not a mapping, is ignored. */
function yamlObject(text: string, read: ReadYaml): ObjectValue {
  try {
    const value = fromJson(read(text) ?? {})
    if (!isObject(value)) return new RegoObject()
    const object = value.copy()
    const authors = object.get('authors')
    if (authors !== undefined && isArray(authors)) object.set('authors', authors.map(author))
    const related = object.get('related_resources')
    if (related !== undefined && isArray(related)) {
      object.set(
        'related_resources',
        related.map((each) => (typeof each === 'string' ? RegoObject.from([['ref', each]]) : each)),
      )
    }
    return object
  } catch {
    return new RegoObject()
  }
}

/** The parts of `Name <mail@host>`. */
function author(value: Value): Value {
  if (typeof value !== 'string') return value
  const match = /^(.*?)\s*<([^<>]*)>\s*$/.exec(value)
  const object = new RegoObject()
  const name = match?.[1] ?? value
  if (name !== '') object.set('name', name)
  const email = match?.[2]
  return email === undefined ? object : object.set('email', email)
}
