import type { Hono } from 'hono'
import type { DevAccounts } from 'polgate-protocol/control/accounts.ts'
import { devAccounts } from './devKeys.ts'

/** `GET /accounts`: the development accounts, which are public. */
export function addAccountRoutes(app: Hono): void {
  const accounts = Object.entries(devAccounts).map(([name, account]) => ({ name, ...account }))
  app.get('/accounts', (c) => c.json({ accounts } satisfies DevAccounts))
}
