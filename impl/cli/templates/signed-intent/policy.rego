# An intent counts when an approver has signed what it says, as a personal message (EIP-191). The message is
# made from the intent, so a signature of another intent does not fit.
package policy

default allow := false

allow if count(deny) == 0

deny contains "signature is missing" if not input.intent_signature

deny contains "signer is not an approver" if {
	input.intent_signature
	not approved
}

deny contains "value exceeds the limit" if not within_limit

message := concat("\n", [
	"I approve this intent",
	sprintf("from: %s", [input.from]),
	sprintf("to: %s", [input.to]),
	sprintf("value: %d", [input.value]),
	sprintf("data: %s", [input.data]),
	sprintf("chain: %d", [input.chain_id]),
])

signer := lower(service.crypto.ecdsa_recover_signer_personal(input.intent_signature, message))

approvers contains lower(address) if some address in data.params.approvers

approved if signer in approvers

within_limit if {
	is_number(input.value)
	input.value <= data.params.max_ether * 1000000000000000000
}
