# Two oracles: the value at a price, and the recipient against a list of sanctions. Each fails on its own.
package policy

default allow := false

allow if count(deny) == 0

wei_per_ether := 1000000000000000000

feed := data.wasm.price_feed

sanctions := data.wasm.sanctions

# Fail closed: what an oracle could not tell is a reason of its own.
deny contains "price feed failed" if not priced

deny contains "sanctions screening failed" if not screened

# The caller chooses what the oracles are asked.
deny contains "price is of another symbol" if {
	priced
	feed.symbol != data.params.symbol
}

deny contains "another address was screened" if {
	screened
	sanctions.address != input.to
}

deny contains "value exceeds the limit" if {
	priced
	not within_limit
}

deny contains "recipient is on the list of sanctions" if {
	screened
	sanctions.listed
}

priced if {
	not feed.error
	is_string(feed.symbol)
	is_number(feed.price)
	feed.price > 0
}

screened if {
	not sanctions.error
	is_string(sanctions.address)
	is_boolean(sanctions.listed)
}

within_limit if {
	is_number(input.value)
	input.value >= 0

	# Not divided: a quotient would lose the last digits.
	input.value * feed.price <= data.params.max_usd * wei_per_ether
}
