# A transfer counts when its sender has signed it, and the identity that the sender has linked to the policy client is
# approved, of age, of a country that is served, and not expired.
package policy

default allow := false

allow if count(deny) == 0

# The identity is that of the signer.
deny contains "intent is not signed by its sender" if not signed_by_sender

deny contains "identity is missing" if not linked

deny contains "identity is not accepted" if {
	linked
	not accepted
}

deny contains "identity is expired" if {
	linked
	not valid
}

# What a call does is in the calldata, which this policy does not read.
deny contains "calls are not checked" if not plain

signer := lower(service.crypto.ecdsa_recover_signer(input.intent_signature, input.intent_digest))

signed_by_sender if signer == input.from

linked if service.identity.get("status")

# What is missing is undefined and denies; what is malformed ends the evaluation.
accepted if {
	service.identity.check_approved()
	service.identity.age_gte(data.params.min_age)
	service.identity.address_in_countries(data.params.countries)
}

valid if service.identity.not_expired()

plain if input.data == "0x"
