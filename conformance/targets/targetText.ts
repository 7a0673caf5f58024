import { isMap, isScalar, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml'
import { CannotRun } from '../core/conformanceError.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Members that are secrets: only variables are allowed. */
const secretPaths: readonly RegExp[] = [
  /^\/keys\/[^/]+$/,
  /^\/accounts\/[^/]+\/privateKey$/,
  /^\/chain\/deployer$/,
]
export const isSecretPath = (path: string): boolean => secretPaths.some((each) => each.test(path))

/** A variable alone; an empty default makes it optional. */
const onlyVariable = /^\$\{([A-Za-z_]\w*)(:-)?\}$/
const anyVariable = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

export type TargetText = {
  readonly value: unknown
  /** `file:line:column` of a member by its JSON pointer, or of the nearest written ancestor. */
  readonly placeOf: (pointer: string) => string
}

export type TargetTextOptions = {
  readonly path: string
  readonly env: Environment
  /** Well-known private keys that may appear in a file. */
  readonly publicKeys?: readonly string[]
}

const partsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/**
 * Parses YAML (or JSON) and substitutes environment values for `${NAME}` or `${NAME:-default}`. A
 * file contains no secrets: secret members must be variables, so that the file can be shown,
 * committed and sent.
 *
 * @throws CannotRun with line and column; never with the value of a secret
 */
export function readTargetText(text: string, options: TargetTextOptions): TargetText {
  const { path: file, env, publicKeys = [] } = options
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    // An unquoted address is text, not a number.
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.format !== 'HEX'),
  })
  const at = (offset: number | undefined) => {
    const { line, col } = lines.linePos(offset ?? 0)
    return `${file}:${line}:${col}`
  }
  const [error] = document.errors
  if (error !== undefined)
    throw new CannotRun(
      `${at(error.pos[0])} is not valid YAML: ${error.message.split('\n')[0]!.replace(/ at line \d+.*$/, '')}`,
      'JSON is accepted too.',
    )
  if (!isMap(document.contents))
    throw new CannotRun(
      `${file} is not a target file: it has no members`,
      'See polgate init --help.',
    )

  const pointerOf = (ancestors: readonly unknown[]) =>
    ancestors
      .flatMap((each) => {
        const key = (each as Partial<Pair>)?.key
        return key === undefined ? [] : [String(isScalar(key) ? key.value : key)]
      })
      .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('')

  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === 'key') return undefined
      const pointer = pointerOf(ancestors)
      const place = at(node.range?.[0])
      if (isSecretPath(pointer)) return fillSecret(pointer, place, node, ancestors)
      if (typeof node.value !== 'string') return undefined
      const filled = node.value.replaceAll(anyVariable, (_, name: string, other?: string) => {
        const value = env[name] || other
        if (value === undefined) throw missing(place, name, pointer)
        return value
      })
      node.value = filled
      return undefined
    },
  })

  function fillSecret(
    pointer: string,
    place: string,
    node: { value: unknown },
    ancestors: readonly unknown[],
  ) {
    const member = pointer.slice(1).replaceAll('/', '.')
    const written = String(node.value)
    const [, name, mayMiss] = onlyVariable.exec(written) ?? []
    if (name === undefined) {
      if (publicKeys.includes(written)) return undefined
      const suggested = suggestionFor(pointer)
      const withDefault = /^\$\{\w+:-.+\}$/.test(written)
      throw new CannotRun(
        withDefault
          ? `${place} ${member} has a default: a default would be a secret in the file`
          : `${place} ${member} is a secret in plain text: it would be in every copy of the file`,
        `Write ${member.split('.').at(-1)}: \${${suggested}}, and set ${suggested} in the environment.`,
      )
    }
    const value = env[name]
    if (value) node.value = value
    else if (mayMiss !== undefined) removeFrom(ancestors)
    else throw missing(place, name, pointer)
    return undefined
  }

  const value: unknown = document.toJS()
  return {
    value: prune(value),
    placeOf: (pointer) => {
      const parts = partsOf(pointer)
      for (let depth = parts.length; depth > 0; depth--) {
        const above = document.getIn(parts.slice(0, depth - 1), true) ?? document.contents
        const pair = isMap(above)
          ? above.items.find(({ key }) => isScalar(key) && String(key.value) === parts[depth - 1])
          : undefined
        const range = (pair?.key as Node | undefined)?.range
        if (range) return at(range[0])
        const node = document.getIn(parts.slice(0, depth), true) as Node | undefined
        if (node?.range) return at(node.range[0])
      }
      return file
    },
  }
}

const gone = Symbol.for('gone')

/** Removes a member whose optional variable is not set. */
function removeFrom(ancestors: readonly unknown[]) {
  const pair = ancestors.at(-1) as { value: { value: unknown } }
  pair.value.value = gone
}

function prune(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prune)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === gone || member === null ? [] : [[name, prune(member)]],
    ),
  )
}

function suggestionFor(pointer: string): string {
  const [room, name = ''] = partsOf(pointer)
  if (room === 'keys') return `SVC_KEY_${name.toUpperCase()}`
  return room === 'accounts' ? `SVC_ACCOUNT_${name.toUpperCase()}` : 'SVC_DEPLOYER'
}

const missing = (place: string, name: string, pointer: string) =>
  new CannotRun(
    `${place} ${pointer.slice(1).replaceAll('/', '.')} needs ${name}, which is not set`,
    isSecretPath(pointer)
      ? `Set ${name}, or write \${${name}:-} if it is optional.`
      : `Set ${name}, or write \${${name}:-a default}.`,
  )
