package policy_test

import data.policy

params := {"auction": "lot-7", "min_gwei": 2000000000, "deposit_gwei": 1000000000, "recipient": "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"}

bidder := "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"

deposit := {"from": bidder, "to": "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc", "value": 1000000000000000000}

good := {"auction": "lot-7", "bidder": bidder, "amount_gwei": 2500000000}

reasons(bid) := found if {
	found := policy.deny with input as deposit
		with data.params as params
		with data.privacy as {"bid": bid}
}

test_a_high_bid_is_allowed if {
	policy.allow with input as deposit
		with data.params as params
		with data.privacy as {"bid": good}
	reasons(good) == set()
	reasons(object.union(good, {"amount_gwei": 2000000000})) == set()
}

test_a_low_bid_is_denied if {
	reasons(object.union(good, {"amount_gwei": 1999999999})) == {"bid is too low"}
}

test_a_copied_bid_is_denied if {
	other := object.union(good, {"bidder": "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"})
	reasons(other) == {"bid is of another auction or bidder"}
}

test_a_bid_of_another_auction_is_denied if {
	reasons(object.union(good, {"auction": "lot-8"})) == {"bid is of another auction or bidder"}
}

test_a_malformed_bid_is_denied if {
	every member in ["auction", "bidder", "amount_gwei"] {
		every bad in [null, [], {}, true] {
			reasons(object.union(good, {member: bad})) == {"bid is missing or malformed"}
		}
	}
	reasons({}) == {"bid is missing or malformed"}
}

test_no_bid_is_denied if {
	policy.deny == {"bid is missing or malformed"} with input as deposit with data.params as params
}

test_another_deposit_is_denied if {
	policy.deny == {"deposit is wrong"} with input as object.union(deposit, {"value": 1})
		with data.params as params
		with data.privacy as {"bid": good}
}

test_another_recipient_is_denied if {
	policy.deny == {"deposit is not for the auction"} with input as object.union(deposit, {"to": bidder})
		with data.params as params
		with data.privacy as {"bid": good}
}

test_nothing_is_allowed_without_parameters if {
	policy.deny == {
		"deposit is wrong",
		"deposit is not for the auction",
		"bid is of another auction or bidder",
		"bid is too low",
	} with input as deposit
		with data.params as {}
		with data.privacy as {"bid": good}
}
