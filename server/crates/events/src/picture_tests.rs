//! Claims about what is taken for a picture, with the first bytes of real ones.

use proptest::prelude::*;

use super::*;

fn read_of(data: &[u8]) -> Option<(PictureFormat, u32, u32)> {
    let picture = LoadedPicture::of(Bytes::copy_from_slice(data))?.picture;
    Some((picture.format, picture.width, picture.height))
}

/// The beginning of a PNG of this size.
fn png(width: u32, height: u32) -> Vec<u8> {
    let head = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R'];
    [&head[..], &width.to_be_bytes(), &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat()
}

#[test]
fn the_formats_are_known_by_their_first_bytes_and_say_their_size() {
    let gif = b"GIF89a\x40\x01\xf0\x00\x80\x00\x00";
    let jfif = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00";
    let tables = b"\xff\xc4\x00\x04\x00\x00";
    let frame = b"\xff\xff\xc2\x00\x11\x08\x00\xf0\x01\x40\x03";
    let jpeg = [&jfif[..], tables, frame].concat();
    let lossy = b"RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x00\x30\x01\x00\x9d\x01\x2a\x40\x01\xf0\x00";
    // 320 - 1 in 14 bits, 240 - 1 in the next 14.
    let bits = (319_u32 | 239 << 14).to_le_bytes();
    let lossless = [&b"RIFF\x24\x00\x00\x00WEBPVP8L\x18\x00\x00\x00\x2f"[..], &bits].concat();
    let extended = b"RIFF\x24\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00\x3f\x01\x00\xef\x00\x00";

    assert_eq!(read_of(&png(320, 240)), Some((PictureFormat::Png, 320, 240)));
    assert_eq!(read_of(gif), Some((PictureFormat::Gif, 320, 240)));
    assert_eq!(read_of(&jpeg), Some((PictureFormat::Jpeg, 320, 240)));
    for webp in [&lossy[..], &lossless, extended] {
        assert_eq!(read_of(webp), Some((PictureFormat::Webp, 320, 240)), "{webp:?}");
    }
}

#[test]
fn what_has_no_size_is_not_a_picture() {
    for data in [
        &b""[..],
        b"hello",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xd9",
        b"RIFF\x24\x00\x00\x00WEBPVP8 ",
        b"RIFF\x24\x00\x00\x00WAVEfmt ",
        &png(0, 5),
    ] {
        assert_eq!(read_of(data), None, "{data:?}");
    }
}

#[test]
fn a_picture_is_told_in_words() {
    let mut picture = LoadedPicture::of(png(640, 480).into()).expect("a picture").picture;
    picture.bytes = 12_300;
    assert_eq!(picture.to_string(), "PNG picture of 640 × 480 pixels, 12 KiB");
    picture.bytes = 4 * 1_048_576 + 600_000;
    assert_eq!(picture.to_string(), "PNG picture of 640 × 480 pixels, 4.5 MiB");
    assert!(!picture.can_be_shown(), "some providers refuse it");
    picture.bytes = 33;
    assert_eq!(picture.to_string(), "PNG picture of 640 × 480 pixels, 33 bytes");
    assert!(picture.can_be_shown() && !Picture { width: 8001, ..picture }.can_be_shown());
}

proptest! {
    #[test]
    fn no_bytes_break_it(kind in 0..5_usize, rest in proptest::collection::vec(any::<u8>(), 0..80)) {
        let head = [&b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"[..], b"GIF89a", b"\xff\xd8\xff", b"RIFF\x00\x00\x00\x00WEBPVP8X", b""];
        let data = [head[kind], &rest].concat();
        if let Some(picture) = LoadedPicture::of(data.into()) {
            prop_assert!(picture.picture.width > 0 && picture.picture.height > 0);
        }
    }
}
