# A transfer policy of a common size: what the cold path is measured on.
package transfer

default allow := false

params := data.params

oracle := data.wasm.price_feed

allow if count(deny) == 0

recipient := lower(input.to)

amount := input.value

deny contains "value exceeds the limit of one transfer" if amount > params.max_value

deny contains "recipient is not on the allow list" if {
	params.enforce_recipients
	not recipient in {lower(address) | some address in params.recipients}
}

deny contains sprintf("function %s is not allowed", [input.function.name]) if {
	input.function
	not input.function.name in params.functions
}

deny contains "oracle failed" if oracle.error

deny contains "price is stale" if {
	age := params.now - oracle.updated_at
	age > params.max_age
}

deny contains "notional exceeds the limit" if {
	notional := (amount * oracle.price) / 1000000000000000000
	notional > params.max_notional
}

deny contains "chain is not supported" if not input.chain_id in params.chains

deny contains reason if {
	some entry in params.blocked
	lower(entry.address) == recipient
	reason := sprintf("recipient is blocked: %s", [entry.why])
}

deny contains "transfer arguments differ from the intent" if {
	input.function.name == "transfer"
	[to, value] := input.function.arguments
	not same_transfer(to, value)
}

same_transfer(to, value) if {
	to in params.token_recipients
	to_number(value) <= params.max_token_value
}

tier := "high" if amount > params.tiers.high

else := "middle" if amount > params.tiers.middle

else := "low"

deny contains "tier needs two approvals" if {
	tier == "high"
	count({approver | some approver in params.approvals; approver in params.approvers}) < 2
}

every_limit_positive if {
	every name in ["max_value", "max_notional", "max_age"] {
		params[name] > 0
	}
}

deny contains "parameters are not positive" if not every_limit_positive
