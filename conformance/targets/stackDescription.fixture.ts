import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

const address = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`
const account = (digit: string) => ({
  address: address(digit),
  privateKey: `0x${digit.repeat(64)}` as const,
})

/** For tests: the description of a stack that does not run. */
export const stackDescription: StackDescription = {
  version: 1,
  pid: 1,
  gatewayUrl: 'http://127.0.0.1:1',
  explorerUrl: 'http://127.0.0.1:2',
  adminUrl: 'http://127.0.0.1:3',
  controlUrl: 'http://127.0.0.1:4',
  fixtureHostUrl: 'http://127.0.0.1:5',
  brand: defaultBrand,
  chain: {
    rpcUrl: 'http://127.0.0.1:6',
    chainId: 31337,
    taskManager: address('1'),
    operatorRegistry: address('2'),
  },
  apiKeys: {
    read: 'key-read',
    write: 'key-write',
    rpc: 'key-rpc',
    none: 'key-none',
    expired: 'key-expired',
    stranger: 'key-stranger',
  },
  accounts: { owner: account('3'), sender: account('4'), recipient: { address: address('5') } },
  operators: [],
  clients: {},
}
