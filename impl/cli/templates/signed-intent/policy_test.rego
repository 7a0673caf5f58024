package policy_test

import data.policy

params := {"approvers": ["0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"], "max_ether": 10}

unsigned := {
	"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
	"to": "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
	"value": 1000000000000000000,
	"data": "0x",
	"chain_id": 31337,
}

# Of the intent above, by the approver and by a stranger.
by_approver := "0xef9c4892228e8f315de358794632327bca2ff1192f32e6204deda2be49534f482dc2f49e015a5e8d1861ece59e25d2be695a0d7b2f8ab1547ad563ab7baac7581c"

by_stranger := "0xb8be1eb61dc63f4eadee41c11c99f5ec4650413b0b4f53f3ad4ac3d108e5ad441a040e67e5947c714b72554dbfe0cda3ede21caf7f35938b4d52e0cb506ac4b71c"

signed(signature) := object.union(unsigned, {"intent_signature": signature})

reasons(intent) := found if {
	found := policy.deny with input as intent with data.params as params
}

test_the_message_is_the_intent if {
	policy.message == concat("\n", [
		"I approve this intent",
		"from: 0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
		"to: 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
		"value: 1000000000000000000",
		"data: 0x",
		"chain: 31337",
	]) with input as unsigned
}

test_an_approved_intent_is_allowed if {
	policy.allow with input as signed(by_approver) with data.params as params
	reasons(signed(by_approver)) == set()
}

test_a_missing_signature_is_denied if {
	reasons(unsigned) == {"signature is missing"}
	not policy.allow with input as unsigned with data.params as params
}

test_a_stranger_is_denied if {
	reasons(signed(by_stranger)) == {"signer is not an approver"}
}

test_a_signature_of_another_intent_is_denied if {
	every change in [{"value": 1}, {"to": "0x00"}, {"data": "0x00"}, {"chain_id": 1}] {
		reasons(object.union(signed(by_approver), change)) == {"signer is not an approver"}
	}
}

test_a_large_value_is_denied if {
	large := object.union(unsigned, {"value": 10000000000000000001})
	reasons(large) == {"signature is missing", "value exceeds the limit"}
}

test_nothing_is_allowed_without_parameters if {
	policy.deny == {
		"signer is not an approver",
		"value exceeds the limit",
	} with input as signed(by_approver) with data.params as {}
}
