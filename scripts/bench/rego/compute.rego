# Loops, calls, strings and aggregates, without input or data.
package compute

side := numbers.range(1, 300)

pairs := count([x |
	some x in side
	some y in side
	x + y == 301
])

double(x) := y if y := x * 2

calls := sum([double(x) | some x in side])

all_positive if {
	every x in side {
		x > 0
	}
}

words := [sprintf("word-%d", [x]) | some x in side]

strings := count({upper(word) |
	some word in words
	startswith(word, "word-1")
	not endswith(word, "7")
	contains(replace(word, "-", "_"), "_1")
})

aggregates := {"sum": sum(values), "max": max(values), "groups": groups} if {
	values := [(x * 3) | some x in side]
	groups := {key: total |
		some key in ["0", "1", "2", "3", "4"]
		total := count([x | some x in values; format_int(x % 5, 10) == key])
	}
}
