/** The packages that are published as a bundle: what goes in, and what stays a dependency. */
export type PackageDefinition = {
  /** Its folder, with `package.json` and `README.md`. */
  readonly directory: string
  /** Modules to bundle, by the name of the file in `dist`. */
  readonly entries: Readonly<Record<string, string>>
  /** Commands: name to a module of `entries` that exports `run(argv)`. */
  readonly commands?: Readonly<Record<string, string>>
  /** What `import '<package>'` loads. */
  readonly main?: string
  /** Installed beside the bundle: binaries, and what loads files of its own. */
  readonly dependencies?: readonly string[]
  /** The same, where the commands work without it on a platform that it does not support. */
  readonly optionalDependencies?: readonly string[]
  /** Not installed: its user adds it for what needs it. */
  readonly optionalPeers?: readonly string[]
  /** Files that are read at run time, as prefixes of paths in this repository. */
  readonly files?: readonly RegExp[]
}

export const packageDefinitions: readonly PackageDefinition[] = [
  {
    directory: 'conformance',
    entries: { 'polgate-conformance': 'impl/cli/suite/main.ts' },
    commands: { 'polgate-conformance': 'polgate-conformance' },
    // For checks that fork the target's chain.
    optionalDependencies: ['@foundry-rs/anvil'],
    // For gateways that are started from an image.
    optionalPeers: ['testcontainers'],
    files: [
      /^chain\/artifacts\/[^/]+\.json$/,
      /^fixtures\/(policies|packages|recorded|hostile)\//,
      /^fixtures\/oracles\/.*\.(wasm|wat|json|js|wit)$/,
      /^conformance\/(?!self-test\/|.*golden\/).*\.(json|yml|tsv)$/,
      /^impl\/lib\/package\.json$/,
    ],
  },
  {
    directory: 'impl/rego',
    entries: { engine: 'impl/rego/engine.ts' },
    main: 'engine',
  },
]
