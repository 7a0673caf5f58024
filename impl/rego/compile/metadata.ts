import type { Builtin } from '../builtins/builtin.ts'
import { type Location, RegoError } from '../errors.ts'
import type { AnnotationBlock, Module, Rule, Scalar } from '../syntax/ast.ts'
import { RegoObject } from '../values/object.ts'
import type { ObjectValue, Value } from '../values/value.ts'
import {
  type AnnotationScope,
  type AnnotationTarget,
  annotationFields,
} from './annotationFields.ts'
import { pathText, type ResolvedRule } from './resolved.ts'

export type Annotation = {
  readonly scope: AnnotationScope
  /** The path it applies to, below `data`. */
  readonly path: readonly Value[]
  readonly rule: Rule | undefined
  readonly value: ObjectValue
  /** Of what it annotates. */
  readonly location: Location
}

export type ReadYaml = (text: string) => unknown

/** The `# METADATA` of modules, parsed on first use. */
export class Metadata {
  private readonly modules: readonly Module[]
  private readonly read: ReadYaml
  private annotations: readonly Annotation[] | undefined

  /** @param read parses the YAML of an annotation, maps as `Map` */
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
    this.annotations ??= annotationsIn(this.modules, this.read)
    return this.annotations
  }
}

/**
 * Reads the annotations of modules: for those that call `rego.metadata.*`, otherwise they are comments.
 *
 * @throws RegoError `rego_parse_error` for the first malformed one
 */
export function checkAnnotations(
  modules: readonly Module[],
  builtins: ReadonlyMap<string, Builtin>,
): void {
  const read = builtins.get('rego.metadata.rule')?.readAnnotations
  if (read !== undefined) annotationsIn(modules, read)
}

export const annotationsIn = (modules: readonly Module[], read: ReadYaml): readonly Annotation[] =>
  modules.flatMap((module) =>
    module.annotations.flatMap((block) => annotation(module, block, read) ?? []),
  )

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

/** @throws RegoError `rego_parse_error` for YAML that is not that of an annotation */
function annotation(
  module: Module,
  block: AnnotationBlock,
  read: ReadYaml,
): Annotation | undefined {
  const { target } = block
  if (target === undefined || target.kind === 'import') return undefined
  const value = fieldsOf(block, target.kind, read)
  const scope = value.get('scope') as AnnotationScope
  const pkg = packagePath(module)
  const { location } = target.span
  if (target.kind === 'package') return { scope, path: pkg, rule: undefined, value, location }
  const { head, path } = target.head.ref
  const name = head.kind === 'var' ? head.name : pathText([])
  const rest = path.map((part): Value => (part.kind === 'scalar' ? part.value : part.span.text))
  return { scope, path: [...pkg, name, ...rest], rule: target, value, location }
}

function fieldsOf({ yaml, span }: AnnotationBlock, target: AnnotationTarget, read: ReadYaml) {
  try {
    return annotationFields(read(yaml), target)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.split('\n')[0]! : String(cause)
    throw new RegoError('rego_parse_error', message, { location: span.location, cause })
  }
}
