import type { Hono } from 'hono'
import type { NamedAddress } from 'polgate-protocol/control/chain.ts'

export type ChainRouteParts = {
  /** Addresses of the stack that have a name. */
  readonly accounts?: readonly NamedAddress[] | undefined
}

/** `GET /chain/accounts`: whose balances are of interest, and the names of addresses. */
export function addChainRoutes(app: Hono, { accounts = [] }: ChainRouteParts): void {
  app.get('/chain/accounts', (c) => c.json(accounts))
}
