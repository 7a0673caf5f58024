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

/** Calls of the extensions of a policy: `acme.crypto.ecdsa_recover_signer(...)`. */
export function ownExtensions(rego: string): Renamed {
  const from = new Set<string>()
  let text = rego
  for (const { name } of serviceExtensions()) {
    const rest = name.slice(name.indexOf('.') + 1).replaceAll('.', '\\.')
    text = text.replaceAll(
      new RegExp(`(?<![\\w.])([a-z]\\w*)\\.(${rest})(?=\\()`, 'g'),
      (whole, brand) => {
        const own = name
        if (whole === own) return whole
        from.add(`${brand}.${own.slice(own.indexOf('.') + 1)}`)
        return own
      },
    )
  }
  return { text, from: [...from] }
}

/**
 * A component cannot be renamed: its imports are part of its code.
 *
 * @throws CommandError if it imports the host interface of another brand
 */
export function requireOwnInterface(path: string, component: Uint8Array): void {
  const imports = Buffer.from(component)
    .toString('latin1')
    .matchAll(/([a-z][a-z0-9-]*:[a-z][a-z0-9-]*)\/(?:http|secrets)@\d+\.\d+\.\d+/g)
  for (const [whole, name] of imports) {
    if (name === ownInterface || name === 'wasi:http') continue
    throw new CommandError(`${path} imports ${whole}, which this service does not have`, {
      hint: 'Import the source of the oracle, policy.js, instead of the component.',
    })
  }
}
