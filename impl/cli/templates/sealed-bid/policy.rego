# A bidder deposits an amount that is the same for all, at the address of the auction. The bid itself is sealed for the
# task; the decision tells no more of it than that it is high enough.
package policy

default allow := false

allow if count(deny) == 0

bid := data.privacy.bid

deny contains "deposit is wrong" if not deposited

# The client would call any other contract as well.
deny contains "deposit is not for the auction" if not for_auction

deny contains "bid is missing or malformed" if not readable

# A sealed bid that was copied from the task of another bidder does not count.
deny contains "bid is of another auction or bidder" if {
	readable
	not own
}

deny contains "bid is too low" if {
	readable
	not high_enough
}

deposited if input.value == data.params.deposit_gwei * 1000000000

for_auction if input.to == lower(data.params.recipient)

readable if {
	is_string(bid.auction)
	is_string(bid.bidder)
	is_number(bid.amount_gwei)
}

own if {
	bid.auction == data.params.auction
	lower(bid.bidder) == input.from
}

high_enough if bid.amount_gwei >= data.params.min_gwei
