package policy_test

import data.policy

params := {"max_score": 70, "blocked_categories": ["mixer"]}

to := "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"

good := {"address": to, "score": 12, "category": "exchange"}

reasons(risk) := found if {
	found := policy.deny with input as {"to": to}
		with data.params as params
		with data.wasm as {"counterparty": risk}
}

test_a_good_counterparty_is_allowed if {
	policy.allow with input as {"to": to}
		with data.params as params
		with data.wasm as {"counterparty": good}
}

test_a_failed_screening_is_denied if {
	reasons({"error": "screening answered 503"}) == {"screening failed"}
}

test_no_screening_is_denied if {
	not policy.allow with input as {"to": to} with data.params as params with data.wasm as {}
	policy.deny == {"screening failed"} with input as {"to": to}
		with data.params as params
		with data.wasm as {}
}

test_a_score_that_is_none_is_denied if {
	every bad in [null, "12", -1, [], {}] {
		reasons(object.union(good, {"score": bad})) == {"screening failed"}
	}
}

test_the_score_may_be_the_maximum if {
	reasons(object.union(good, {"score": 70})) == set()
	reasons(object.union(good, {"score": 70.5})) == {"risk of the counterparty is too high"}
}

test_another_address_is_denied if {
	reasons(object.union(good, {"address": "0x00"})) == {"another address was screened"}
}

test_nothing_is_allowed_without_parameters if {
	policy.deny == {
		"category of the counterparty is blocked",
		"risk of the counterparty is too high",
	} with input as {"to": to}
		with data.params as {}
		with data.wasm as {"counterparty": good}
}

test_two_reasons_at_once if {
	reasons(object.union(good, {"score": 99, "category": "mixer"})) == {
		"category of the counterparty is blocked",
		"risk of the counterparty is too high",
	}
}
