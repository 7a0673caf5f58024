import { regoCommands } from '../../../impl/cli/regoCommands.ts'
import { contractFiles, contractSubpaths } from './contractFiles.ts'
import { studioFiles } from './studioFiles.ts'

/**
 * The packages that are published. Each is a bundle: packages of this repository, and of npm unless
 * named here, become part of it.
 */
export type PackageDefinition = {
  /** Its folder, with `package.json` (name, description) and `README.md`. */
  readonly directory: string
  /** Modules that a user imports, by subpath: `.` is the package itself. They get declarations. */
  readonly exports?: Readonly<Record<string, string>>
  /**
   * Subpaths that hand on what another package here exports, by its module id: `polgate/testing`. That
   * package is among the dependencies.
   */
  readonly forwards?: Readonly<Record<string, string>>
  /** Commands, and the module of each; it exports `run(argv)`. */
  readonly commands?: Readonly<Record<string, string>>
  /** Names of commands, with the module that has these alone: they start from one script. */
  readonly script?: { readonly commands: readonly string[]; readonly module: string }
  /** Files of this repository that are started as a process, and the command that they stand for. */
  readonly launchers?: Readonly<Record<string, string>>
  /** Installed beside the bundle: binaries, and what loads files of its own. */
  readonly dependencies?: readonly string[]
  /** The same, where the commands work without it on a platform that it does not support. */
  readonly optionalDependencies?: readonly string[]
  /** Its user has these too, and both use the same copy; the range is that of the folder's manifest. */
  readonly peers?: readonly string[]
  /** Versions of peers that work, where more do than the installed one. */
  readonly peerRanges?: Readonly<Record<string, string>>
  /** Not installed: its user adds it for what needs it. */
  readonly optionalPeers?: readonly string[]
  /** Imported by a bundled package for what is never called here; an empty module takes its place. */
  readonly unused?: readonly string[]
  /** Modules of this repository that are left out, and the text that takes the place of each. */
  readonly replaced?: Readonly<Record<string, string>>
  /** Files that are read at run time, as prefixes of paths in this repository. */
  readonly files?: readonly RegExp[]
  /** Files that are made for it, by path below the package, which are no modules of this repository. */
  readonly made?: () => ReadonlyMap<string, string>
  /** What a user imports of them, as in `exports` of a manifest. */
  readonly madeExports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  /** Declarations refer to types of Node, or to a test runner's, which do. */
  readonly needsNodeTypes?: boolean
  /** Modules of `exports` that only a test runner can load. */
  readonly onlyInTests?: readonly string[]
  /** Bundled, but declarations refer to the types of the package: optional peers. */
  readonly typePackages?: readonly string[]
  /** Files of bundled packages that these find beside their own modules. */
  readonly assets?: readonly string[]
  /** A library that runs in browsers too, and there imports nothing of Node. */
  readonly browser?: boolean
  /** Subpaths of such a library that need Node all the same. */
  readonly onlyOnNode?: readonly string[]
  /** Whether there are source maps; by default yes. */
  readonly sourceMaps?: boolean
  /** Largest size with all dependencies, MB of 1,000,000 bytes. */
  readonly limitMb: number
}

const suiteFiles = [
  /^chain\/artifacts\/[^/]+\.json$/,
  /^fixtures\/(policies|packages|recorded|hostile)\//,
  /^fixtures\/oracles\/.*\.(wasm|wat|json|js|wit|mjs)$/,
  /^conformance\/(?!self-test\/|.*golden\/).*\.(json|yml|tsv)$/,
  /^impl\/lib\/package\.json$/,
]

/** What the first start would have to build: the oracles of the fixtures, an empty database. */
const prebuilt =
  /^(fixtures\/oracles\/prebuilt\.br|impl\/service\/store\/prebuiltCluster\.(br|json))$/

/** Templates of policy packages, the components of their oracles, and the schemas of a package's files. */
const ofPackages = [
  /^impl\/cli\/(templates|package\/schemas)\//,
  /^fixtures\/oracles\/templates\.br$/,
]

const transpiler = 'node_modules/@bytecodealliance/jco-transpile/vendor'

/** Installed beside a bundle that can start the service. */
const besideService = [
  '@electric-sql/pglite',
  '@foundry-rs/anvil',
  'mcl-wasm',
  'pg',
  'pino',
  'piscina',
  'prom-client',
  'tiny-secp256k1',
]

const transpilerAssets = [
  `${transpiler}/js-component-bindgen-component.core.wasm`,
  `${transpiler}/js-component-bindgen-component.core2.wasm`,
  `${transpiler}/wasm-tools.core.wasm`,
  `${transpiler}/wasm-tools.core2.wasm`,
  // The transpiler's WASI runs there.
  'node_modules/@bytecodealliance/preview2-shim/dist/io/worker-thread.bundle.js',
]

export const packageDefinitions: readonly PackageDefinition[] = [
  {
    directory: 'impl/cli',
    commands: { polgate: 'impl/cli/main.ts' },
    script: { commands: Object.keys(regoCommands), module: 'impl/cli/regoMain.ts' },
    launchers: { 'impl/cli/polgate.mjs': 'polgate' },
    dependencies: besideService,
    optionalPeers: [
      ...['@bytecodealliance/componentize-js', 'oxc-parser', 'testcontainers', 'ts-blank-space'],
    ],
    unused: ['oxc-minify'],
    replaced: {
      // They run the suite against faults in the sources.
      'impl/cli/suite/developerCommands.ts': 'export const developerCommands = {}',
      // Its page is built already: see `made`.
      'impl/studio/build/buildStudio.ts':
        "export const buildStudio = () => { throw new Error('a file of this package is missing') }",
    },
    made: studioFiles,
    files: [...suiteFiles, prebuilt, ...ofPackages],
    assets: transpilerAssets,
    limitMb: 250,
  },
  {
    directory: 'conformance',
    exports: { '.': 'conformance/index.ts' },
    commands: { 'polgate-conformance': 'impl/cli/suite/main.ts' },
    // For checks that fork the target's chain.
    optionalDependencies: ['@foundry-rs/anvil'],
    // For gateways that are started from an image.
    optionalPeers: ['testcontainers'],
    files: suiteFiles,
    limitMb: 100,
  },
  {
    directory: 'impl/rego',
    exports: {
      '.': 'impl/rego/index.ts',
      './format': 'impl/rego/api/format.ts',
      './check': 'impl/rego/api/check.ts',
      './lint': 'impl/rego/api/lint.ts',
      './bundle': 'impl/rego/api/bundle.ts',
      './lazy': 'impl/rego/groups/load.ts',
      './all': 'impl/rego/groups/all.ts',
      './regex': 'impl/rego/groups/regex.ts',
      './time': 'impl/rego/groups/time.ts',
      './semver': 'impl/rego/groups/semver.ts',
      './net': 'impl/rego/groups/net.ts',
      './yaml': 'impl/rego/groups/yaml.ts',
      './json-schema': 'impl/rego/groups/jsonSchema.ts',
      './templates': 'impl/rego/groups/templates.ts',
      './crypto': 'impl/rego/groups/crypto.ts',
      './jwt': 'impl/rego/groups/jwt.ts',
      './x509': 'impl/rego/groups/x509.ts',
      './graphql': 'impl/rego/groups/graphql.ts',
    },
    browser: true,
    onlyOnNode: ['./all', './bundle', './jwt', './x509'],
    sourceMaps: false,
    limitMb: 4,
  },
  {
    directory: 'impl/client',
    exports: { '.': 'impl/client/index.ts' },
    dependencies: ['ws'],
    peers: ['viem'],
    browser: true,
    limitMb: 90,
  },
  {
    directory: 'impl/testing',
    exports: {
      '.': 'impl/testing/index.ts',
      './vitest': 'impl/testing/vitest/index.ts',
      './vitest/global-setup': 'impl/testing/vitest/globalSetup.ts',
      './testcontainers': 'impl/testing/testcontainers/serviceContainer.ts',
    },
    onlyInTests: [
      'impl/testing/vitest/index.ts',
      'impl/testing/vitest/globalSetup.ts',
      'impl/testing/testcontainers/serviceContainer.ts',
    ],
    // Tests catch errors of the client: there must be one copy of their classes.
    dependencies: [...besideService, 'polgate-client'],
    peers: ['viem'],
    peerRanges: { vitest: '>=3.2', testcontainers: '>=11' },
    typePackages: ['testcontainers', 'vitest'],
    needsNodeTypes: true,
    optionalPeers: [
      ...['@bytecodealliance/componentize-js', 'oxc-parser', 'testcontainers', 'ts-blank-space'],
      'vitest',
    ],
    unused: ['oxc-minify'],
    files: [...suiteFiles.filter((pattern) => !pattern.source.includes('conformance')), prebuilt],
    assets: transpilerAssets,
    limitMb: 250,
  },
  {
    directory: 'chain/contracts',
    dependencies: ['@openzeppelin/contracts'],
    made: contractFiles,
    madeExports: contractSubpaths,
    limitMb: 10,
  },
]
