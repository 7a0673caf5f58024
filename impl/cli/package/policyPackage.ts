import type { PolicyCall } from 'polgate-client/index.ts'

/** The file that makes a folder a policy package. */
export const packageFileName = 'policy.yaml'

export type TextFile = {
  /** Absolute. */
  readonly path: string
  readonly text: string
}

export type PackageOracle = {
  /** Pack id: its output is `data.wasm.<id>`. */
  readonly id: string
  /** Absolute path of a `.js`, `.ts`, `.wat` or `.wasm` file. */
  readonly source: string
  /** As published; the text is without its trailing newline. */
  readonly wasmArgs: TextFile | undefined
  readonly wasmArgsSchema: TextFile | undefined
  readonly secretsSchema: TextFile | undefined
  /** Absolute path; the secrets are read only by what runs the oracle here. */
  readonly testSecrets: string | undefined
  /** `host` or `host:port`, lower case. */
  readonly allowedHosts: readonly string[]
}

export type PackageClient = {
  readonly contract:
    | { readonly kind: 'sample' | 'withoutDomain' | 'tokenVault' }
    /** JSON with `abi` and `bytecode`. */
    | { readonly kind: 'artifact'; readonly artifact: TextFile }
  /** By the names of the constructor's inputs. */
  readonly constructorArguments: Readonly<Record<string, unknown>>
  /** Called once, after the deployment. */
  readonly initialize: PolicyCall | undefined
  /** Calls that give it a policy; undefined for `setPolicy(address,(bytes,uint32))`. */
  readonly setPolicy: readonly PolicyCall[] | undefined
  /** Blocks. */
  readonly expireAfter: number
  /** How the contract restricts the targets of its calls; undefined if the policy has to. */
  readonly restrictsTarget: string | undefined
}

/** A policy package: `policy.yaml` and the files that it names. */
export type PolicyPackage = {
  /** Absolute, without symbolic links. */
  readonly directory: string
  /** Absolute path of `policy.yaml`. */
  readonly file: string
  readonly name: string
  /** As in a Policy contract, without `data.`: `policy.allow`. */
  readonly entrypoint: string
  readonly policy: TextFile
  /** JSON text of an object; absent for a policy without parameters. */
  readonly params: TextFile | undefined
  readonly paramsSchema: TextFile | undefined
  /** In the order of their PolicyData contracts. */
  readonly oracles: readonly PackageOracle[]
  readonly client: PackageClient
  /** Absolute paths of what only tests and simulations read. */
  readonly intent: string | undefined
  readonly intentDomain: string | undefined
  readonly testPrivateData: string | undefined
  readonly tests: readonly string[]
  readonly cases: string | undefined
  readonly mocks: string | undefined
  readonly exchanges: string | undefined
  /** All files above, absolute: a change of one changes the package. */
  readonly files: readonly string[]
  /** `file:line:column` of a member of `policy.yaml`, for errors. */
  readonly placeOf: (...path: readonly (string | number)[]) => string
}
