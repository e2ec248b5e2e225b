package main

import (
	"fmt"
	"os"

	"example.org/lantern/cmd"
)

func main() {
	if err := cmd.Run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lantern:", err)
		os.Exit(2)
	}
}
