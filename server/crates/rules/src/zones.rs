//! The time zone of a country or region; cities the tool knows itself.

const PLACES: &[(&str, &str)] = &[
    ("greenwich", "UTC"),
    ("eastern", "America/New_York"),
    ("texas", "America/Chicago"),
    ("pacific", "America/Los_Angeles"),
    ("california", "America/Los_Angeles"),
    ("uk", "Europe/London"),
    ("england", "Europe/London"),
    ("scotland", "Europe/London"),
    ("ireland", "Europe/Dublin"),
    ("germany", "Europe/Berlin"),
    ("france", "Europe/Paris"),
    ("italy", "Europe/Rome"),
    ("spain", "Europe/Madrid"),
    ("portugal", "Europe/Lisbon"),
    ("switzerland", "Europe/Zurich"),
    ("austria", "Europe/Vienna"),
    ("netherlands", "Europe/Amsterdam"),
    ("belgium", "Europe/Brussels"),
    ("sweden", "Europe/Stockholm"),
    ("norway", "Europe/Oslo"),
    ("denmark", "Europe/Copenhagen"),
    ("finland", "Europe/Helsinki"),
    ("poland", "Europe/Warsaw"),
    ("ukraine", "Europe/Kyiv"),
    ("greece", "Europe/Athens"),
    ("turkey", "Europe/Istanbul"),
    ("israel", "Asia/Jerusalem"),
    ("egypt", "Africa/Cairo"),
    ("kenya", "Africa/Nairobi"),
    ("nigeria", "Africa/Lagos"),
    ("south africa", "Africa/Johannesburg"),
    ("india", "Asia/Kolkata"),
    ("china", "Asia/Shanghai"),
    ("japan", "Asia/Tokyo"),
    ("korea", "Asia/Seoul"),
    ("south korea", "Asia/Seoul"),
    ("thailand", "Asia/Bangkok"),
    ("vietnam", "Asia/Ho_Chi_Minh"),
    ("philippines", "Asia/Manila"),
    ("argentina", "America/Argentina/Buenos_Aires"),
    ("colombia", "America/Bogota"),
    ("peru", "America/Lima"),
    ("new zealand", "Pacific/Auckland"),
    ("hawaii", "Pacific/Honolulu"),
];

/// What the tool for the time is given for this place.
pub(super) fn zone_of(place: &str) -> String {
    let wanted = place.to_lowercase();
    let wanted = wanted.strip_suffix(" time").unwrap_or(&wanted);
    let known = PLACES.iter().find(|(name, _)| *name == wanted);
    known.map_or(place, |(_, zone)| *zone).to_owned()
}
