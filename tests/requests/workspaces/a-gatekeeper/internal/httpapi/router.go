package httpapi

import (
	"net/http"

	"example.com/northwind/gatekeeper/internal/limiter"
)

// Router wires the endpoints.
func Router(l *limiter.Limiter) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/check", check(l))
	mux.HandleFunc("/healthz", health)
	mux.HandleFunc("/readyz", ready)
	// TODO: expose /metrics
	return mux
}
