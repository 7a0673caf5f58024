package policy_test

import data.policy

params := {"min_entries": 2}

transfer := {
	"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
	"to": "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
	"data": "0x",
}

listed := "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65"

contains_listed(address) := lower(address) == listed

reasons(intent) := found if {
	found := policy.deny with input as intent
		with data.params as params
		with service.confidential.blacklist["contains"] as contains_listed
		with service.confidential.blacklist.count as 2
}

test_addresses_that_are_not_listed_are_allowed if {
	policy.allow with input as transfer
		with data.params as params
		with service.confidential.blacklist["contains"] as contains_listed
		with service.confidential.blacklist.count as 2
	reasons(transfer) == set()
}

test_a_listed_sender_is_denied if {
	reasons(object.union(transfer, {"from": listed})) == {"address is on the list"}
}

test_a_listed_recipient_is_denied if {
	reasons(object.union(transfer, {"to": listed})) == {"address is on the list"}
}

test_a_call_is_denied if {
	reasons(object.union(transfer, {"data": "0xa9059cbb"})) == {"calls are not checked"}
}

test_a_short_list_is_denied if {
	policy.deny == {"list has too few entries"} with input as transfer
		with data.params as params
		with service.confidential.blacklist["contains"] as false
		with service.confidential.blacklist.count as 1
}

test_nothing_is_allowed_without_parameters if {
	policy.deny == {"list has too few entries"} with input as transfer
		with data.params as {}
		with service.confidential.blacklist["contains"] as false
		with service.confidential.blacklist.count as 2
}
