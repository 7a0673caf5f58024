package policy_test

import data.policy

params := {"max_transfer_ether": 2, "max_daily_ether": 5}

sender := "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"

ether := 1000000000000000000

good := {"address": sender, "wei": "3000000000000000000"}

reasons(value, ledger) := found if {
	found := policy.deny with input as {"from": sender, "value": value, "data": "0x"}
		with data.params as params
		with data.wasm as {"ledger": ledger}
}

test_a_small_transfer_is_allowed if {
	policy.allow with input as {"from": sender, "value": ether, "data": "0x"}
		with data.params as params
		with data.wasm as {"ledger": good}
}

test_both_limits_may_be_reached if {
	reasons(2 * ether, good) == set()
}

test_a_wei_more_is_denied if {
	reasons((2 * ether) + 1, object.union(good, {"wei": "0"})) == {"transfer exceeds the limit"}
	reasons(2 * ether, object.union(good, {"wei": "3000000000000000001"})) == {"spending of the day exceeds the limit"}
}

test_a_failed_ledger_is_denied if {
	reasons(1, {"error": "ledger answered 503"}) == {"ledger failed"}
}

test_no_ledger_is_denied if {
	not policy.allow with input as {"from": sender, "value": 1, "data": "0x"} with data.params as params with data.wasm as {}
	policy.deny == {"ledger failed"} with input as {"from": sender, "value": 1, "data": "0x"}
		with data.params as params
		with data.wasm as {}
}

test_an_amount_that_is_none_is_denied if {
	every bad in [null, 0, -1, "", "-1", "1e18", "0x1", [], {}] {
		reasons(1, object.union(good, {"wei": bad})) == {"ledger failed"}
	}
}

test_another_address_is_denied if {
	reasons(1, object.union(good, {"address": "0x00"})) == {"spending of another address was read"}
}

test_a_value_that_is_none_is_denied if {
	every bad in [null, "1"] {
		reasons(bad, good) == {"spending of the day exceeds the limit", "transfer exceeds the limit"}
	}
}

test_a_call_is_denied if {
	policy.deny == {"calls are not checked"} with input as {"from": sender, "value": 1, "data": "0xa9059cbb"}
		with data.params as params
		with data.wasm as {"ledger": good}
}

test_nothing_is_allowed_without_parameters if {
	policy.deny == {
		"spending of the day exceeds the limit",
		"transfer exceeds the limit",
	} with input as {"from": sender, "value": 0, "data": "0x"}
		with data.params as {}
		with data.wasm as {"ledger": good}
}
