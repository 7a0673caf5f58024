# What a sender spends in one transfer and in one day stays below limits.
package policy

default allow := false

allow if count(deny) == 0

wei_per_ether := 1000000000000000000

ledger := data.wasm.ledger

# Fail closed: without the ledger nothing is known about the day.
deny contains "ledger failed" if not known

# The caller chooses what the oracle is asked.
deny contains "spending of another address was read" if {
	known
	ledger.address != input.from
}

deny contains "transfer exceeds the limit" if not within_transfer_limit

deny contains "spending of the day exceeds the limit" if {
	known
	not within_daily_limit
}

# What a call does is in the calldata, which this policy does not read.
deny contains "calls are not checked" if not plain

# Digits, because a JSON number of another program may have lost some.
known if {
	not ledger.error
	is_string(ledger.address)
	is_string(ledger.wei)
	regex.match(`^[0-9]{1,40}$`, ledger.wei)
}

within_transfer_limit if {
	is_number(input.value)
	input.value >= 0
	input.value <= data.params.max_transfer_ether * wei_per_ether
}

within_daily_limit if {
	is_number(input.value)
	to_number(ledger.wei) + input.value <= data.params.max_daily_ether * wei_per_ether
}

plain if input.data == "0x"
