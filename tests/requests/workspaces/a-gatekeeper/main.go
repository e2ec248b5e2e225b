package main

import (
	"flag"
	"log"
	"net/http"

	"example.com/northwind/gatekeeper/internal/httpapi"
	"example.com/northwind/gatekeeper/internal/limiter"
)

const defaultAddr = ":8089"

func main() {
	cfg := flag.String("config", "config/dev.yaml", "configuration file")
	addr := flag.String("addr", defaultAddr, "listen address")
	flag.Parse()

	log.Printf("gatekeeper: config %s", *cfg)
	l := limiter.New(20, 5)
	if err := http.ListenAndServe(*addr, httpapi.Router(l)); err != nil {
		log.Fatal(err)
	}
}
