module example.com/northwind/gatekeeper

go 1.22

require (
	github.com/go-chi/chi/v5 v5.0.12
	github.com/prometheus/client_golang v1.19.1
	gopkg.in/yaml.v3 v3.0.1
)
