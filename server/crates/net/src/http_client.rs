//! How HTTP clients are made, and what TLS is made of. TLS gets its cryptography from ring, a tenth of the size of what reqwest would bring and
//! built without CMake; it must be there before the first client.

use rustls::crypto::ring::default_provider;

/// A builder for an HTTP client; the caller sets what it may do.
#[expect(clippy::disallowed_methods, reason = "this is where they begin")]
pub fn http_client() -> reqwest::ClientBuilder {
    install_crypto();
    reqwest::Client::builder()
}

/// Gives TLS its cryptography, for whoever makes no HTTP client before it is needed.
pub fn install_crypto() {
    // An error says that it is installed already, which is as good.
    let _ = default_provider().install_default();
}
