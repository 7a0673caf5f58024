import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

/** What clients need of a running service. */
export type Service = Pick<
  StackDescription,
  'gatewayUrl' | 'explorerUrl' | 'apiKeys' | 'accounts' | 'chain' | 'clients'
>

/** What is killed and started again; its data stay. */
export type KillTarget = {
  /** Starts what does not run. @throws Error if it does not become ready */
  start(): Promise<Service>
  /** Sends SIGKILL. @returns what was killed */
  kill(): Promise<string>
  /** Ends everything in order, so that its database can be opened. */
  stop(): Promise<void>
  /** Where the database is, after `stop`. */
  readonly database: { readonly dataDir: string } | { readonly url: string }
  /** Also removes the data. */
  close(): Promise<void>
}
