module example.org/lantern

go 1.22

require (
	github.com/spf13/cobra v1.8.0
	github.com/fatih/color v1.16.0
	golang.org/x/net v0.24.0
)
