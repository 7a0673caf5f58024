package policy_test

import data.policy

params := {"min_age": 18, "countries": ["CH", "DE"]}

# Signed by its sender, under the domain of intent_domain.json.
signed := {
	"from": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
	"data": "0x",
	"intent_digest": "0xb233ebe9681080f6fde907af9cde1319161a82589b726ade19538fa811cb0024",
	"intent_signature": "0x6685ee875066b675bd3552712d2e8a7f4dfaa9c0c0888cd7ccf7014795cd870960f54c11a17d2ff99eaf24f71afabea16b361c4ccc2774b77c0e195cc5e19a4a1b",
}

reasons(intent) := found if {
	found := policy.deny with input as intent
		with data.params as params
		with service.identity.get as "approved"
		with service.identity.check_approved as true
		with service.identity.age_gte as true
		with service.identity.address_in_countries as true
		with service.identity.not_expired as true
}

test_an_accepted_identity_is_allowed if {
	policy.allow with input as signed
		with data.params as params
		with service.identity.get as "approved"
		with service.identity.check_approved as true
		with service.identity.age_gte as true
		with service.identity.address_in_countries as true
		with service.identity.not_expired as true
	reasons(signed) == set()
}

test_another_sender_is_denied if {
	other := object.union(signed, {"from": "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"})
	reasons(other) == {"intent is not signed by its sender"}
}

test_an_unsigned_intent_is_denied if {
	reasons({"from": signed.from, "data": "0x"}) == {"intent is not signed by its sender"}
}

test_a_call_is_denied if {
	reasons(object.union(signed, {"data": "0xa9059cbb"})) == {"calls are not checked"}
}

test_a_missing_identity_is_denied if {
	policy.deny == {"identity is missing"} with input as signed with data.params as params
}

test_an_identity_without_other_members_is_denied if {
	policy.deny == {"identity is not accepted", "identity is expired"} with input as signed
		with data.params as params
		with service.identity.get as "approved"
}

test_a_status_is_denied if {
	policy.deny == {"identity is not accepted"} with input as signed
		with data.params as params
		with service.identity.get as "pending"
		with service.identity.check_approved as false
		with service.identity.age_gte as true
		with service.identity.address_in_countries as true
		with service.identity.not_expired as true
}

# The mocks take the place of the helpers, so they see the parameters.
adult(years) := years <= 30

in_germany(countries) := "DE" in countries

accepted(given) if {
	policy.accepted with data.params as given
		with service.identity.check_approved as true
		with service.identity.age_gte as adult
		with service.identity.address_in_countries as in_germany
}

test_the_parameters_decide if {
	accepted(params)
	not accepted({"min_age": 31, "countries": ["DE"]})
	not accepted({"min_age": 18, "countries": ["CH"]})
	not accepted({})
}

test_an_expired_identity_is_denied if {
	policy.deny == {"identity is expired"} with input as signed
		with data.params as params
		with service.identity.get as "approved"
		with service.identity.check_approved as true
		with service.identity.age_gte as true
		with service.identity.address_in_countries as true
		with service.identity.not_expired as false
}
