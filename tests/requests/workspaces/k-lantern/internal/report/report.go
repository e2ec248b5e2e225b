// Package report prints links for people and for programs.
package report

import (
	"encoding/json"
	"fmt"
	"io"

	"example.org/lantern/internal/crawl"
)

// PrintTable writes one line per link.
func PrintTable(w io.Writer, links []crawl.Link) {
	for _, l := range links {
		fmt.Fprintf(w, "%s:%d\t%s\n", l.File, l.Line, l.URL)
	}
}

// PrintJSON writes the links as one JSON array.
func PrintJSON(w io.Writer, links []crawl.Link) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	// TODO: stable field order
	return enc.Encode(links)
}
