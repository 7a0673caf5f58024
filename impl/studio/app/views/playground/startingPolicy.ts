import type { PlaygroundRequest } from '../../../playground/evaluation.ts'

/** What the playground begins with: a policy that shows input, parameters and the output of an oracle. */
export const startingPolicy: Omit<PlaygroundRequest, 'regoNamespace' | 'now'> = {
  source: `package policy

default allow := false

allow if count(deny) == 0

# Fail closed: what the oracle could not tell is a reason of its own.
deny contains "price feed failed" if not price

deny contains "value exceeds the maximum in dollars" if {
	price
	input.value * price > data.params.max_usd * wei_per_ether
}

price := data.wasm.price_feed.price if not data.wasm.price_feed.error

wei_per_ether := 1000000000000000000
`,
  entrypoint: 'policy.allow',
  input: `{
  "from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "to": "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  "value": 1000000000000000000,
  "data": "0x",
  "chain_id": 31337,
  "function_signature": "0x"
}`,
  params: '{ "max_usd": 1000 }',
  paramsSchema: null,
  data: ['{ "price_feed": { "symbol": "ETH", "price": 2000 } }'],
}
