// Package crawl finds links in Markdown and probes them.
package crawl

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Link is one link and where it stands.
type Link struct {
	URL  string
	File string
	Line int
}

var linkPattern = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)

// FindLinks walks root and returns every link in it.
func FindLinks(root string) ([]Link, error) {
	var out []Link
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, m := range linkPattern.FindAllStringSubmatch(line, -1) {
				if skipScheme(m[1]) {
					continue
				}
				out = append(out, Link{URL: m[1], File: path, Line: i + 1})
			}
		}
		return nil
	})
	return out, err
}

func skipScheme(url string) bool {
	return strings.HasPrefix(url, "mailto:") || strings.HasPrefix(url, "tel:")
}

// Probe asks for every link and returns the dead ones.
func Probe(links []Link, timeout time.Duration, retries, workers int) []Link {
	client := http.Client{Timeout: timeout}
	var dead []Link
	// FIXME: workers is ignored, links are asked one after the other
	for _, l := range links {
		if !alive(&client, l.URL, retries) {
			dead = append(dead, l)
		}
	}
	return dead
}

func alive(client *http.Client, url string, retries int) bool {
	for try := 0; try <= retries; try++ {
		resp, err := client.Head(url)
		if err == nil && resp.StatusCode < 400 {
			return true
		}
	}
	return false
}
