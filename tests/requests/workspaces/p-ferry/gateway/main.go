package main

import (
	"log"
	"net/http"
	"os"
)

const defaultPort = "7070"

func main() {
	port := os.Getenv("GATEWAY_PORT")
	if port == "" {
		port = defaultPort
	}
	locks := NewSeatLocks(holdMinutes)
	http.HandleFunc("/v1/holds", locks.Handle)
	http.HandleFunc("/callback/payment", handleCallback)
	http.HandleFunc("/healthz", handleHealth)
	log.Printf("gateway listens on :%s", port)
	log.Fatal(http.ListenAndServe(":"+port, nil))
}

func handleHealth(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusNoContent)
}

// TODO: check the signature before anything else
func handleCallback(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusAccepted)
}
