package crawl

import "testing"

func TestFindLinks(t *testing.T) {
	links, err := FindLinks("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	if len(links) != 4 {
		t.Fatalf("got %d links, want 4", len(links))
	}
}

func TestSkipScheme(t *testing.T) {
	if !skipScheme("mailto:a@b.example") {
		t.Fatal("mailto must be skipped")
	}
	if skipScheme("https://b.example") {
		t.Fatal("https must not be skipped")
	}
}
