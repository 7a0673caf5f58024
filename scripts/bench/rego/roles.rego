# A role table: the same question asked by a scan and by a look-up.
package roles

default allow := false

allow if {
	some binding in data.bindings
	binding.user == input.user
	binding.role == input.role
}

default allow_lookup := false

allow_lookup if input.role in data.roles_by_user[input.user]

granted contains binding.role if {
	some binding in data.bindings
	binding.user == input.user
}
