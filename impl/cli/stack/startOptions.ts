/** Options of `polgate start`, as they are parsed. */
export type StartOptions = {
  readonly port?: number
  readonly chainPort?: number
  readonly explorerPort?: number
  readonly dataDir?: string
  readonly readyFile?: string
  readonly exec?: string
  readonly json?: boolean
  readonly log?: string
  readonly detached?: boolean
  readonly brand?: readonly string[]
  readonly operatorProcesses?: boolean
  readonly threshold?: number
  readonly secondNetwork?: boolean
  readonly chainId?: string
  readonly forkUrl?: string
  readonly blockTime?: number
  readonly mock?: readonly string[]
  /** `[oracle=]file`: what recordings and hosts of mocks name. */
  readonly secretsFile?: readonly string[]
  readonly allowHost?: readonly string[]
  /** `false` with `--no-studio`. */
  readonly studio?: boolean
  readonly open?: boolean
}
