package policy_test

import data.policy

params := {"symbol": "ETH", "max_usd": 5000}

to := "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"

price := {"symbol": "ETH", "price": 2000, "updated_at": 1767225590}

clean := {"address": to, "listed": false}

reasons(value, wasm) := found if {
	found := policy.deny with input as {"to": to, "value": value}
		with data.params as params
		with data.wasm as wasm
}

test_a_small_value_to_a_clean_address_is_allowed if {
	policy.allow with input as {"to": to, "value": 1}
		with data.params as params
		with data.wasm as {"price_feed": price, "sanctions": clean}
}

test_one_failed_oracle_is_denied if {
	reasons(1, {"price_feed": {"error": "x"}, "sanctions": clean}) == {"price feed failed"}
	reasons(1, {"price_feed": price, "sanctions": {"error": "x"}}) == {"sanctions screening failed"}
}

test_no_output_is_denied if {
	reasons(1, {}) == {"price feed failed", "sanctions screening failed"}
	not policy.allow with input as {"to": to, "value": 1} with data.params as params with data.wasm as {}
}

test_a_price_that_is_none_is_denied if {
	every bad in [null, "2000", 0, -1, [], {}] {
		reasons(1, {"price_feed": object.union(price, {"price": bad}), "sanctions": clean}) == {"price feed failed"}
	}
}

test_a_listing_that_is_none_is_denied if {
	every bad in [null, "false", 0, [], {}] {
		wasm := {"price_feed": price, "sanctions": object.union(clean, {"listed": bad})}
		reasons(1, wasm) == {"sanctions screening failed"}
	}
}

test_another_symbol_is_denied if {
	other := object.union(price, {"symbol": "DOGE"})
	reasons(1, {"price_feed": other, "sanctions": clean}) == {"price is of another symbol"}
}

test_another_address_is_denied if {
	other := object.union(clean, {"address": "0x00"})
	reasons(1, {"price_feed": price, "sanctions": other}) == {"another address was screened"}
}

test_the_value_may_be_the_limit if {
	wasm := {"price_feed": price, "sanctions": clean}
	reasons(2500000000000000000, wasm) == set()
	reasons(2500000000000000001, wasm) == {"value exceeds the limit"}
}

test_a_listed_recipient_is_denied if {
	listed := object.union(clean, {"listed": true})
	reasons(1, {"price_feed": price, "sanctions": listed}) == {"recipient is on the list of sanctions"}
	reasons(9000000000000000000, {"price_feed": price, "sanctions": listed}) == {
		"recipient is on the list of sanctions",
		"value exceeds the limit",
	}
}
