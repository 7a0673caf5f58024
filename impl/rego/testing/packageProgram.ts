import { crypto } from '../groups/crypto.ts'
import { loadBuiltins } from '../groups/load.ts'
import { regex } from '../groups/regex.ts'
import { time } from '../groups/time.ts'
import { yaml } from '../groups/yaml.ts'
import { compile, coverage, evaluate, explain, test } from '../index.ts'

const source = `package p

allow if {
	regex.match("^0x[0-9a-f]+$", input.to)
	input.amount <= yaml.unmarshal(data.limits).most
}

facts := {
	"md5": crypto.md5("abc"),
	"hmac": crypto.hmac.sha256("a", "b"),
	"base64": base64.encode("ü😀"),
	"raw": hex.encode(base64.decode("/w==")),
	"zone": time.clock([0, "America/New_York"]),
	"uuid": uuid.rfc4122("a"),
	"order": sort({"😀", "\uffff", "a"}),
	"big": 9007199254740993 + 1,
}
`
const tests = `package p_test

test_allow if data.p.allow with input as {"to": "0xab", "amount": 1}
`

/** For tests: what a program does with the package, as JSON; the same on every platform. */
export async function packageProgram(): Promise<string> {
  const options = {
    data: { limits: 'most: 10' },
    seed: () => new Uint8Array(16),
    builtins: [regex, time, yaml, crypto],
  }
  const policy = compile({ 'p.rego': source, 'p_test.rego': tests }, options)
  const lazy = await loadBuiltins(['net.cidr_contains', 'io.jwt.decode'])
  const input = { to: '0xab', amount: 11 }
  return JSON.stringify({
    facts: evaluate(policy, 'data.p.facts').json,
    denied: evaluate(policy, 'data.p.allow', { input }).defined,
    why: explain(policy, 'data.p.allow', { input }).rules[0]?.definitions[0]?.failures[0]?.text,
    test: test(policy).passed,
    coverage: coverage(policy).percent,
    lazy: lazy.flat().some(({ name }) => name === 'net.cidr_contains'),
  })
}
