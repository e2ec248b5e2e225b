package cmd

import (
	"fmt"
	"os"

	"example.org/lantern/internal/crawl"
	"example.org/lantern/internal/report"
)

func runList(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("list needs a folder")
	}
	links, err := crawl.FindLinks(args[len(args)-1])
	if err != nil {
		return err
	}
	if args[0] == "--format" && args[1] == "json" {
		return report.PrintJSON(os.Stdout, links)
	}
	report.PrintTable(os.Stdout, links)
	return nil
}
