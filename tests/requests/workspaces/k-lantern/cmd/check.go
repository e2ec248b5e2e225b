package cmd

import (
	"fmt"
	"os"
	"time"

	"example.org/lantern/internal/crawl"
	"example.org/lantern/internal/report"
)

const (
	defaultTimeout = 10 * time.Second
	defaultRetries = 2
	maxWorkers     = 8
)

func runCheck(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("check needs a folder")
	}
	links, err := crawl.FindLinks(args[0])
	if err != nil {
		return err
	}
	// TODO(okello): honour robots.txt
	dead := crawl.Probe(links, defaultTimeout, defaultRetries, maxWorkers)
	report.PrintTable(os.Stdout, dead)
	if len(dead) > 0 {
		os.Exit(1)
	}
	return nil
}
