package policy_test

import data.policy

params := {"min_level": 2, "countries": ["CH", "DE"]}

sender := "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"

good := {"address": sender, "status": "approved", "level": 2, "country": "DE"}

reasons(subject) := found if {
	found := policy.deny with input as {"from": sender, "data": "0x"}
		with data.params as params
		with data.wasm as {"kyc": subject}
}

test_a_verified_sender_is_allowed if {
	policy.allow with input as {"from": sender, "data": "0x"}
		with data.params as params
		with data.wasm as {"kyc": good}
}

test_a_failed_check_is_denied if {
	reasons({"error": "kyc provider answered 503"}) == {"identity check failed"}
}

test_no_check_is_denied if {
	not policy.allow with input as {"from": sender, "data": "0x"} with data.params as params with data.wasm as {}
	policy.deny == {"identity check failed"} with input as {"from": sender, "data": "0x"}
		with data.params as params
		with data.wasm as {}
}

test_another_address_is_denied if {
	reasons(object.union(good, {"address": "0x00"})) == {"another address was checked"}
}

test_a_status_is_denied if {
	every status in ["pending", "rejected", ""] {
		reasons(object.union(good, {"status": status})) == {"sender is not verified"}
	}
}

test_a_low_level_is_denied if {
	reasons(object.union(good, {"level": 1})) == {"level of verification is too low"}
	reasons(object.union(good, {"level": 3})) == set()
}

test_a_level_that_is_none_is_denied if {
	every bad in [null, "2", [], {}] {
		reasons(object.union(good, {"level": bad})) == {"identity check failed"}
	}
}

test_a_country_is_denied if {
	reasons(object.union(good, {"country": "XX"})) == {"country is not served"}
}

test_a_call_is_denied if {
	policy.deny == {"calls are not checked"} with input as {"from": sender, "data": "0xa9059cbb"}
		with data.params as params
		with data.wasm as {"kyc": good}
}

test_nothing_is_allowed_without_parameters if {
	policy.deny == {"level of verification is too low", "country is not served"} with input as {"from": sender, "data": "0x"}
		with data.params as {}
		with data.wasm as {"kyc": good}
}

test_two_reasons_at_once if {
	reasons(object.union(good, {"status": "pending", "country": "XX"})) == {
		"country is not served",
		"sender is not verified",
	}
}
