package cmd

import "fmt"

// Version is set at release time.
const Version = "1.4.1"

// Run picks the subcommand.
func Run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no command given, try: check, list, version")
	}
	switch args[0] {
	case "check":
		return runCheck(args[1:])
	case "list":
		return runList(args[1:])
	case "version":
		fmt.Println("lantern", Version)
		return nil
	}
	return fmt.Errorf("unknown command %q", args[0])
}
