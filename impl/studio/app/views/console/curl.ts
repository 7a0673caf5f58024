import { forCommand } from './sensitive.ts'

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The variable that stands for a key. */
const variable = (key: string) => `$SVC_KEY_${key.toUpperCase().replaceAll(/\W/g, '_')}`

/** A call of the gateway as a shell line: the key is a variable, secrets are left out. */
export const rpcCurl = (gatewayUrl: string, key: string, method: string, params: unknown): string =>
  [
    `curl -s ${quote(`${gatewayUrl}/rpc`)}`,
    `-H 'content-type: application/json'`,
    `-H "authorization: Bearer ${variable(key)}"`,
    `--data-binary ${quote(JSON.stringify({ jsonrpc: '2.0', id: '1', method, params: forCommand(params) }))}`,
  ].join(' ')

/** A request of the explorer as a shell line; its address is the variable of `polgate start --exec`. */
export const explorerCurl = (
  key: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): string =>
  [
    `curl -s "$SVC_EXPLORER_URL"${quote(path)}`,
    `-H "x-api-key: ${variable(key)}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
  ].join(' ')
