# A transfer goes only to a counterparty that a screening service has scored, and scored well.
package policy

default allow := false

allow if count(deny) == 0

risk := data.wasm.counterparty

# Fail closed: what the oracle could not tell is a reason of its own.
deny contains "screening failed" if not scored

# The caller chooses what the oracle is asked.
deny contains "another address was screened" if {
	scored
	risk.address != input.to
}

deny contains "category of the counterparty is blocked" if {
	scored
	not of_an_open_category
}

deny contains "risk of the counterparty is too high" if {
	scored
	not acceptable
}

scored if {
	not risk.error
	is_string(risk.address)
	is_number(risk.score)
	risk.score >= 0
	is_string(risk.category)
}

acceptable if risk.score <= data.params.max_score

of_an_open_category if {
	is_array(data.params.blocked_categories)
	not blocked
}

blocked if risk.category in data.params.blocked_categories
