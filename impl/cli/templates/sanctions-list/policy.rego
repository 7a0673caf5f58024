# A transfer counts when neither its sender nor its recipient is on the list of a provider, which nobody else can
# read. A list that is not granted, not published or malformed ends the evaluation: nothing is allowed then.
package policy

default allow := false

allow if count(deny) == 0

deny contains "address is on the list" if {
	some address in {input.from, input.to}
	service.confidential.blacklist["contains"](address)
}

# A list that is nearly empty is rather a mistake of its provider.
deny contains "list has too few entries" if not complete

# Who receives tokens is in the calldata, which this policy does not read.
deny contains "calls are not checked" if not plain

complete if service.confidential.blacklist.count() >= data.params.min_entries

plain if input.data == "0x"
