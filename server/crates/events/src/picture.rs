//! Pictures: what their bytes say of themselves, without being decoded. Bytes that claim more than they hold are not
//! believed: what has no size that can be read is not a picture here.

use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::value::{Blob, BlobHash};

/// What is said where a picture is read and nobody can look at it.
pub const NOT_SEEN: &str = "No model that can see pictures is connected.";

/// The most bytes of a picture that is shown to a model: some providers take 5 MiB of base64.
const MAX_SHOWN_BYTES: u64 = 3_932_160;

/// The longest side of a picture that is shown to a model, in pixels.
const MAX_SHOWN_SIDE: u32 = 8000;

/// A picture, whose bytes are a blob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// Where its bytes are.
    pub hash: BlobHash,
    /// How it is encoded.
    pub format: PictureFormat,
    /// How many bytes it has.
    pub bytes: u64,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

/// The formats that models take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PictureFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
}

/// A picture with its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedPicture {
    /// What it is.
    pub picture: Picture,
    /// All of it.
    pub data: Bytes,
}

impl Picture {
    /// Whether it is small enough for a model.
    #[must_use]
    pub fn can_be_shown(&self) -> bool {
        self.bytes <= MAX_SHOWN_BYTES && self.width.max(self.height) <= MAX_SHOWN_SIDE
    }
}

/// "PNG picture of 640 × 480 pixels, 12 KiB": an article goes before it.
impl fmt::Display for Picture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, width, height, bytes, .. } = self;
        write!(formatter, "{} picture of {width} × {height} pixels, {}", format.name(), size(*bytes))
    }
}

impl PictureFormat {
    /// Its name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::Webp => "WebP",
        }
    }

    /// Its media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }
}

impl LoadedPicture {
    /// What these bytes are, if they are a picture; their name does not count.
    #[must_use]
    pub fn of(data: Bytes) -> Option<Self> {
        let (format, width, height) = measured(&data)?;
        let picture = Picture { hash: BlobHash::of(&data), format, bytes: data.len() as u64, width, height };
        Some(Self { picture, data })
    }

    /// As a large value to be written.
    #[must_use]
    pub fn blob(&self) -> Blob {
        Blob { hash: self.picture.hash.clone(), bytes: self.data.clone() }
    }
}

impl PictureFormat {
    /// What these bytes are, if they are a picture.
    #[must_use]
    pub fn of(data: &[u8]) -> Option<Self> {
        measured(data).map(|(format, ..)| format)
    }
}

/// Format, width and height of what is a picture.
fn measured(data: &[u8]) -> Option<(PictureFormat, u32, u32)> {
    read(data).filter(|(_, width, height)| *width > 0 && *height > 0)
}

/// Format, width and height, which may be 0.
fn read(data: &[u8]) -> Option<(PictureFormat, u32, u32)> {
    match data {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] if data.get(12..16) == Some(b"IHDR") => {
            Some((PictureFormat::Png, be32(data, 16)?, be32(data, 20)?))
        }
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => {
            Some((PictureFormat::Gif, u32::from(le16(data, 6)?), u32::from(le16(data, 8)?)))
        }
        [0xff, 0xd8, 0xff, ..] => jpeg(data).map(|(width, height)| (PictureFormat::Jpeg, width, height)),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            webp(data).map(|(width, height)| (PictureFormat::Webp, width, height))
        }
        _ => None,
    }
}

/// The size in the first segment that begins a frame.
fn jpeg(data: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        // Before a marker there may be any number of fill bytes.
        while data.get(at..at + 2)? == [0xff, 0xff] {
            at += 1;
        }
        let [0xff, marker] = data.get(at..at + 2)? else { return None };
        at += 2;
        match marker {
            // Markers without a segment.
            0x01 | 0xd0..=0xd8 => {}
            // Huffman tables and such have numbers among those of frames.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Some((u32::from(be16(data, at + 5)?), u32::from(be16(data, at + 3)?)));
            }
            // The picture's end, or its data, and no size before it.
            0xd9 | 0xda => return None,
            _ => at += usize::from(be16(data, at)?).max(2),
        }
    }
}

/// The size in the first chunk: lossy, lossless or extended.
fn webp(data: &[u8]) -> Option<(u32, u32)> {
    match data.get(12..16)? {
        b"VP8 " if data.get(23..26)? == [0x9d, 0x01, 0x2a] => {
            let side = |at| Some(u32::from(le16(data, at)? & 0x3fff));
            Some((side(26)?, side(28)?))
        }
        b"VP8L" if data.get(20)? == &0x2f => {
            let bits = u32::from(le16(data, 21)?) | u32::from(le16(data, 23)?) << 16;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => {
            let side = |at: usize| Some(u32::from(le16(data, at)?) | u32::from(*data.get(at + 2)?) << 16);
            Some((side(24)? + 1, side(27)? + 1))
        }
        _ => None,
    }
}

fn be32(data: &[u8], at: usize) -> Option<u32> {
    data.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

fn be16(data: &[u8], at: usize) -> Option<u16> {
    data.get(at..at + 2)?.try_into().ok().map(u16::from_be_bytes)
}

fn le16(data: &[u8], at: usize) -> Option<u16> {
    data.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes)
}

/// A number of bytes, for people.
fn size(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{} KiB", (bytes + 512) / 1024),
        _ => format!("{}.{} MiB", bytes / 1_048_576, bytes % 1_048_576 * 10 / 1_048_576),
    }
}

#[cfg(test)]
#[path = "picture_tests.rs"]
mod tests;
