package report

import (
	"bytes"
	"testing"

	"example.org/lantern/internal/crawl"
)

func TestPrintTable(t *testing.T) {
	var b bytes.Buffer
	PrintTable(&b, []crawl.Link{{URL: "https://a.example", File: "x.md", Line: 3}})
	if b.String() != "x.md:3\thttps://a.example\n" {
		t.Fatal(b.String())
	}
}

func TestPrintJSONEmpty(t *testing.T) {
	var b bytes.Buffer
	if err := PrintJSON(&b, nil); err != nil {
		t.Fatal(err)
	}
}
