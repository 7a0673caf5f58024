package policy_test

import data.policy

now := 1767225600

params := {"symbol": "ETH", "max_usd": 5000, "max_age_seconds": 300}

intent := {"value": 1000000000000000000, "data": "0x"}

fresh := {"symbol": "ETH", "price": 2000, "updated_at": now - 10}

reasons(value, feed) := found if {
	found := policy.deny with input as {"value": value, "data": "0x"}
		with data.params as params
		with data.wasm as {"price_feed": feed}
		with time.now_ns as now * 1000000000
}

test_a_small_value_is_allowed if {
	policy.allow with input as intent
		with data.params as params
		with data.wasm as {"price_feed": fresh}
		with time.now_ns as now * 1000000000
}

test_a_failed_feed_is_denied if {
	reasons(1, {"error": "feed answered 503"}) == {"price feed failed"}
}

test_no_feed_is_denied if {
	not policy.allow with input as intent with data.params as params with data.wasm as {}
	policy.deny == {"price feed failed"} with input as intent
		with data.params as params
		with data.wasm as {}
}

test_a_price_that_is_none_is_denied if {
	every bad in [null, "2000", 0, -1, [], {}] {
		reasons(1, object.union(fresh, {"price": bad})) == {"price feed failed"}
	}
}

test_another_symbol_is_denied if {
	reasons(1, object.union(fresh, {"symbol": "DOGE"})) == {"price is of another symbol"}
}

test_an_old_price_is_denied if {
	reasons(1, object.union(fresh, {"updated_at": now - 300})) == set()
	reasons(1, object.union(fresh, {"updated_at": now - 301})) == {"price is too old"}
}

test_a_price_of_the_future_is_denied if {
	reasons(1, object.union(fresh, {"updated_at": now + 60})) == {"price is too old"}
}

test_the_value_may_be_the_limit if {
	reasons(2500000000000000000, fresh) == set()
	reasons(2500000000000000001, fresh) == {"value exceeds the limit"}
}

test_a_value_that_is_none_is_denied if {
	every bad in [null, "1", -1] {
		reasons(bad, fresh) == {"value exceeds the limit"}
	}
}

test_a_call_is_denied if {
	call := object.union(intent, {"data": "0xa9059cbb"})
	policy.deny == {"calls are not checked"} with input as call
		with data.params as params
		with data.wasm as {"price_feed": fresh}
		with time.now_ns as now * 1000000000
}

test_two_reasons_at_once if {
	old := object.union(fresh, {"updated_at": now - 1000})
	reasons(9000000000000000000, old) == {"price is too old", "value exceeds the limit"}
}
