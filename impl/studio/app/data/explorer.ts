import { createExplorerClient } from 'polgate-client'
import { apiUrl, token } from './api.ts'
import { target } from './target.ts'

/** The SDK's client of the explorer, by way of this page's server. */
export const explorerClient = () =>
  createExplorerClient({ url: `${apiUrl}/explorer`, key: token, brand: target().brand })
