//! A body as it arrives: we decompress it ourselves, so that both sizes and their ratio are bounded at every byte.

use std::io::{self, Write};

use flate2::write::{MultiGzDecoder, ZlibDecoder};
use switchboard_protocol::ErrorType;

use super::limits::WebLimits;
use crate::error::WebError;

/// Up to this many bytes, a body may have any compression ratio.
const UNSUSPICIOUS_BYTES: usize = 256 * 1024;

/// Gathers a body.
pub(super) struct Body {
    encoding: ContentEncoding,
    received: usize,
    limits: WebLimits,
}

enum ContentEncoding {
    None(Bounded),
    Gzip(Box<MultiGzDecoder<Bounded>>),
    Deflate(Box<ZlibDecoder<Bounded>>),
}

/// Takes bytes up to a limit.
struct Bounded {
    bytes: Vec<u8>,
    limit: usize,
    overflowed: bool,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.limit {
            self.overflowed = true;
            return Err(io::Error::other("too large"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Body {
    /// A body compressed in this way (`Content-Encoding`).
    ///
    /// # Errors
    /// When it is compressed in a way that nobody asked for.
    pub(super) fn new(encoding: Option<&str>, limits: WebLimits) -> Result<Self, WebError> {
        let bounded = Bounded { bytes: Vec::new(), limit: limits.bytes, overflowed: false };
        let encoding = encoding.unwrap_or_default().trim().to_ascii_lowercase();
        let encoding = match encoding.as_str() {
            "" | "identity" => ContentEncoding::None(bounded),
            "gzip" | "x-gzip" => ContentEncoding::Gzip(Box::new(MultiGzDecoder::new(bounded))),
            "deflate" => ContentEncoding::Deflate(Box::new(ZlibDecoder::new(bounded))),
            other => return Err(user(format!("the response is compressed as {other:?}, which was not requested"))),
        };
        Ok(Self { encoding, received: 0, limits })
    }

    /// The next bytes as they came.
    ///
    /// # Errors
    /// When the body is too large, or decompresses to too much.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), WebError> {
        self.received += bytes.len();
        let written = match &mut self.encoding {
            ContentEncoding::None(body) => body.write_all(bytes),
            ContentEncoding::Gzip(body) => body.write_all(bytes),
            ContentEncoding::Deflate(body) => body.write_all(bytes),
        };
        let bounded = self.bounded();
        let unpacked = bounded.bytes.len();
        if bounded.overflowed {
            return Err(too_large(self.limits.bytes));
        }
        if unpacked > UNSUSPICIOUS_BYTES && unpacked / self.limits.ratio > self.received {
            let message = format!(
                "the response decompresses to more than {} times its size, as no honest page does",
                self.limits.ratio
            );
            return Err(WebError::new(ErrorType::Security, message).suggesting("Do not fetch this address."));
        }
        written.map_err(|_| damaged())
    }

    /// The whole body.
    ///
    /// # Errors
    /// When its end is missing.
    pub(super) fn finish(self) -> Result<Vec<u8>, WebError> {
        let limit = self.limits.bytes;
        let finished = match self.encoding {
            ContentEncoding::None(body) => Ok(body),
            // An empty body has no head of a packed one either.
            ContentEncoding::Gzip(_) | ContentEncoding::Deflate(_) if self.received == 0 => return Ok(Vec::new()),
            ContentEncoding::Gzip(body) => body.finish(),
            ContentEncoding::Deflate(body) => body.finish(),
        };
        match finished {
            Ok(body) if body.overflowed => Err(too_large(limit)),
            Ok(body) => Ok(body.bytes),
            Err(error) if error.to_string() == "too large" => Err(too_large(limit)),
            Err(_) => Err(damaged()),
        }
    }

    fn bounded(&self) -> &Bounded {
        match &self.encoding {
            ContentEncoding::None(body) => body,
            ContentEncoding::Gzip(body) => body.get_ref(),
            ContentEncoding::Deflate(body) => body.get_ref(),
        }
    }
}

/// A body of more bytes than there may be.
pub(super) fn too_large(limit: usize) -> WebError {
    let size = limit / (1024 * 1024);
    user(format!("the response is larger than {size} MiB")).suggesting("Fetch a smaller page, or part of this one.")
}

fn damaged() -> WebError {
    user("the response is damaged or cut off".to_owned()).suggesting("Try again later.")
}

fn user(message: String) -> WebError {
    WebError::new(ErrorType::User, message)
}
