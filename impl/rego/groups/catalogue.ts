/** A group of built-ins that a program imports when its policies need it. */
export type GroupEntry = {
  /** The export, and the name of the group. */
  readonly name: string
  /** The module id below the package: `regex` is imported from `polgate-rego/regex`. */
  readonly subpath: string
  /** Built-ins of the group. */
  readonly names: RegExp
  /** Occurs in every policy that calls one of them. An escape may stand for any letter. */
  readonly mentioned: RegExp
  readonly needsNode?: true
}

/** All groups, without loading them. */
export const GROUPS = [
  {
    name: 'regex',
    subpath: 'regex',
    names: /^(?:regex\.|glob\.|re_match$)/,
    mentioned: /\b(?:regex|glob|re_match)\b/,
  },
  { name: 'time', subpath: 'time', names: /^time\./, mentioned: /\btime\b/ },
  { name: 'semver', subpath: 'semver', names: /^semver\./, mentioned: /\bsemver\b/ },
  { name: 'net', subpath: 'net', names: /^net\./, mentioned: /\bnet\b/ },
  {
    name: 'yaml',
    subpath: 'yaml',
    names: /^(?:yaml|rego\.metadata)\./,
    mentioned: /\b(?:yaml|metadata)\b|\\u/,
  },
  {
    name: 'jsonSchema',
    subpath: 'json-schema',
    names: /^json\.(?:match|verify)_schema$/,
    mentioned: /\b(?:match|verify)_schema\b|\\u/,
  },
  {
    name: 'templates',
    subpath: 'templates',
    names: /^strings\.render_template$/,
    mentioned: /\brender_template\b|\\u/,
  },
  {
    name: 'crypto',
    subpath: 'crypto',
    names: /^(?:crypto\.(?!x509\.|parse_private_keys$)|providers\.aws\.)/,
    mentioned: /\b(?:crypto|providers)\b/,
  },
  { name: 'jwt', subpath: 'jwt', names: /^io\.jwt\./, mentioned: /\bio\b/, needsNode: true },
  {
    name: 'x509',
    subpath: 'x509',
    names: /^crypto\.(?:x509\.|parse_private_keys$)/,
    mentioned: /\bcrypto\b/,
    needsNode: true,
  },
  { name: 'graphql', subpath: 'graphql', names: /^graphql\./, mentioned: /\bgraphql\b/ },
] as const satisfies readonly GroupEntry[]

/** The group of a built-in that is not in the core, or undefined. */
export const groupOf = (builtin: string): GroupEntry | undefined =>
  GROUPS.find(({ names }) => names.test(builtin))
