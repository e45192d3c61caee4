module report-client

go 1.26.5

require github.com/hashicorp/go-azure-sdk/sdk v0.20260811.1225050

require (
	github.com/hashicorp/go-azure-helpers v0.81.1 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.7 // indirect
	github.com/hashicorp/go-uuid v1.0.3 // indirect
	github.com/hashicorp/go-version v1.9.0 // indirect
	golang.org/x/crypto v0.54.0 // indirect
	golang.org/x/oauth2 v0.36.0 // indirect
	software.sslmate.com/src/go-pkcs12 v0.7.3 // indirect
)
