# The value of a transfer, at the price of a feed, stays below a limit in dollars.
package policy

default allow := false

allow if count(deny) == 0

wei_per_ether := 1000000000000000000

feed := data.wasm.price_feed

# Fail closed: without a price nothing is known about the value.
deny contains "price feed failed" if not priced

# The caller chooses what the oracle is asked.
deny contains "price is of another symbol" if {
	priced
	feed.symbol != data.params.symbol
}

deny contains "price is too old" if {
	priced
	not recent
}

deny contains "value exceeds the limit" if {
	priced
	not within_limit
}

# What a call does is in the calldata, which this policy does not read.
deny contains "calls are not checked" if not plain

priced if {
	not feed.error
	is_string(feed.symbol)
	is_number(feed.price)
	feed.price > 0
	is_number(feed.updated_at)
}

recent if {
	age := (time.now_ns() / 1000000000) - feed.updated_at
	age >= 0
	age <= data.params.max_age_seconds
}

within_limit if {
	is_number(input.value)
	input.value >= 0

	# Not divided: a quotient would lose the last digits.
	input.value * feed.price <= data.params.max_usd * wei_per_ether
}

plain if input.data == "0x"
