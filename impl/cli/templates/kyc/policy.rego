# A transfer counts when its sender is verified by a provider of identity checks.
package policy

default allow := false

allow if count(deny) == 0

subject := data.wasm.kyc

# Fail closed: without an answer nothing is known about the sender.
deny contains "identity check failed" if not checked

# The caller chooses what the oracle is asked.
deny contains "another address was checked" if {
	checked
	subject.address != input.from
}

deny contains "sender is not verified" if {
	checked
	subject.status != "approved"
}

deny contains "level of verification is too low" if {
	checked
	not high_enough
}

deny contains "country is not served" if {
	checked
	not served
}

# What a call does is in the calldata, which this policy does not read.
deny contains "calls are not checked" if not plain

checked if {
	not subject.error
	is_string(subject.address)
	is_string(subject.status)
	is_number(subject.level)
	is_string(subject.country)
}

high_enough if subject.level >= data.params.min_level

served if subject.country in data.params.countries

plain if input.data == "0x"
