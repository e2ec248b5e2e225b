package httpapi

import (
	"fmt"
	"net/http"

	"example.com/northwind/gatekeeper/internal/limiter"
)

const headerKey = "X-Api-Key"

func check(l *limiter.Limiter) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get(headerKey)
		if key == "" {
			http.Error(w, "missing api key", http.StatusUnauthorized)
			return
		}
		if !l.Allow(key) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return
		}
		fmt.Fprintln(w, "ok")
	}
}

func health(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, "ok")
}

func ready(w http.ResponseWriter, r *http.Request) {
	// TODO: check the store before answering
	fmt.Fprintln(w, "ready")
}
