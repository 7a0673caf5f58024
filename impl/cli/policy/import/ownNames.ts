import { renameImports } from 'polgate-fixtures/oracles/renameImports.ts'
import { serviceExtensions } from 'polgate-rego/builtins/extensions.ts'
import { CommandError } from '../../commandDefinition.ts'

/** Texts of another brand, with the names of this one. */
export type Renamed = {
  readonly text: string
  /** What was renamed, for a note: `acme:provider/http@0.2.0`. */
  readonly from: readonly string[]
}

const ownInterface = 'service:provider'
const ownVersion = '0.2.0'
const hostImport = /(['"])([a-z][\w-]*:[a-z][\w-]*)\/(http|secrets)(@[\w.-]+)?\1/g

/** Imports of the host interface in the source of an oracle. */
export function ownHostInterface(source: string): Renamed {
  const from = new Set<string>()
  const text = source.replaceAll(hostImport, (whole, quote, name, member, version = '') => {
    const own = `${ownInterface}/${member}@${ownVersion}`
    const foreign = `${name}/${member}${version}`
    if (foreign === own) return whole
    from.add(foreign)
    return `${quote}${own}${quote}`
  })
  return { text, from: [...from] }
}

const imported = /^[ \t]*import\s+(?:\S*[^\w\s])?(\w+)(?:\s+as\s+(\w+))?/gm

/** The extensions of a policy, called and replaced: `acme.identity.get(...)`, `with acme.identity.get as ...`. */
export function ownExtensions(rego: string): Renamed {
  const from = new Set<string>()
  // A function of a package, such as `lib.identity.get`, is no extension.
  const packages = new Set([
    'data',
    ...[...rego.matchAll(imported)].map(([, name, alias]) => alias ?? name),
  ])
  let text = rego
  for (const { name } of serviceExtensions()) {
    const rest = name.slice(name.indexOf('.') + 1).replaceAll('.', '\\.')
    text = text.replaceAll(
      new RegExp(`(?<![\\w.])([a-z]\\w*)\\.(${rest})(?=\\(|\\s+as\\b)`, 'g'),
      (whole, brand) => {
        const own = name
        if (whole === own || packages.has(brand)) return whole
        from.add(`${brand}.${own.slice(own.indexOf('.') + 1)}`)
        return own
      },
    )
  }
  return { text, from: [...from] }
}

/**
 * A component with the imports of this service. Its types stay those of the other brand: a call with other types
 * ends in an error of the oracle.
 *
 * @throws CommandError for bytes that are no component
 */
export function ownComponent(
  path: string,
  component: Uint8Array,
): { readonly component: Uint8Array; readonly from: readonly string[] } {
  const from: string[] = []
  try {
    const renamed = renameImports(component, (name) => {
      const [, brand, member] =
        /^([a-z][\w-]*:[a-z][\w-]*)\/(http|secrets)(?:@[\w.-]+)?$/.exec(name) ?? []
      const own = `${ownInterface}/${member}@${ownVersion}`
      if (brand === undefined || brand.startsWith('wasi:') || name === own) return name
      from.push(name)
      return own
    })
    return { component: renamed, from }
  } catch (cause) {
    throw new CommandError(`${path} is not a component of an oracle: ${(cause as Error).message}`, {
      hint: 'Import the source of the oracle, policy.js, instead.',
      cause,
    })
  }
}
