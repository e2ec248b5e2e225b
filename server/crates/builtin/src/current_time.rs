//! `current_time`: what time it is here, or anywhere.

use async_trait::async_trait;
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, Zoned};
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::schema;
use switchboard_events::ArtifactValue;
use switchboard_runtime::{nearest, now};
use switchboard_tools::text::cut;
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// Cities and abbreviations that people use and the time zone database does not have.
const ALIASES: &[(&str, &str)] = &[
    ("bangalore", "Asia/Kolkata"),
    ("barcelona", "Europe/Madrid"),
    ("beijing", "Asia/Shanghai"),
    ("bengaluru", "Asia/Kolkata"),
    ("boston", "America/New_York"),
    ("cape_town", "Africa/Johannesburg"),
    ("cest", "Europe/Berlin"),
    ("cologne", "Europe/Berlin"),
    ("delhi", "Asia/Kolkata"),
    ("edt", "America/New_York"),
    ("frankfurt", "Europe/Berlin"),
    ("geneva", "Europe/Zurich"),
    ("hamburg", "Europe/Berlin"),
    ("houston", "America/Chicago"),
    ("kyiv", "Europe/Kyiv"),
    ("miami", "America/New_York"),
    ("milan", "Europe/Rome"),
    ("montreal", "America/Toronto"),
    ("mumbai", "Asia/Kolkata"),
    ("munich", "Europe/Berlin"),
    ("new_delhi", "Asia/Kolkata"),
    ("nyc", "America/New_York"),
    ("osaka", "Asia/Tokyo"),
    ("pdt", "America/Los_Angeles"),
    ("pst", "America/Los_Angeles"),
    ("rio", "America/Sao_Paulo"),
    ("rio_de_janeiro", "America/Sao_Paulo"),
    ("san_francisco", "America/Los_Angeles"),
    ("seattle", "America/Los_Angeles"),
    ("washington", "America/New_York"),
];

/// Tells the time.
pub(super) struct CurrentTime {
    spec: ToolSpec,
    now: fn() -> Timestamp,
}

impl CurrentTime {
    pub(super) fn new() -> Self {
        Self { spec: ToolSpec::new(definition()), now }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "current_time".to_owned(),
        description:
            "Tell the current date, time, weekday and today's date, in the server's time zone or in a city or \
                      time zone anywhere. What time is it now, which day is today?"
                .to_owned(),
        module: "data".to_owned(),
        parameters: schema::arguments(
            &[],
            json!({
                "timezone": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 100,
                    "description": "A time zone (\"Europe/Berlin\"), a city (\"Tokyo\") or an offset (\"UTC+2\"); \
                                    absent: the server's own.",
                },
            }),
        ),
        output: Some(schema::object(json!({
            "iso": {"type": "string", "description": "RFC 3339 with offset."},
            "date": {"type": "string"},
            "time": {"type": "string"},
            "weekday": {"type": "string"},
            "timezone": {"type": "string"},
            "unix": {"type": "integer", "description": "Seconds since 1970."},
        }))),
        example: json!({"timezone": "Europe/Berlin"}),
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for CurrentTime {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn execute(&self, _context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let zone = match arguments.get("timezone").and_then(Value::as_str) {
            Some(text) => time_zone(text),
            None => Ok(TimeZone::system()),
        };
        zone.map(|zone| told(&(self.now)().to_zoned(zone))).into()
    }
}

fn told(at: &Zoned) -> ToolResult {
    let offset = offset_text(at.offset());
    let zone = at.time_zone().iana_name().map_or_else(|| offset.clone(), ToOwned::to_owned);
    let value = json!({
        "iso": at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        "date": at.strftime("%Y-%m-%d").to_string(),
        "time": at.strftime("%H:%M:%S").to_string(),
        "weekday": at.strftime("%A").to_string(),
        "timezone": zone,
        "unix": at.timestamp().as_second(),
    });
    let place = if zone == offset { offset } else { format!("{zone}, {offset}") };
    let view = format!("{} ({place})", at.strftime("%A, %-d %B %Y, %H:%M:%S"));
    ToolResult::success(ArtifactValue::Json(value)).with_view(view)
}

fn offset_text(offset: Offset) -> String {
    match offset.seconds() {
        0 => "UTC".to_owned(),
        seconds => {
            let sign = if seconds < 0 { '-' } else { '+' };
            let minutes = seconds.abs() / 60;
            format!("UTC{sign}{:02}:{:02}", minutes / 60, minutes % 60)
        }
    }
}

/// The time zone that is meant: a name of the database, an offset, or a city.
fn time_zone(text: &str) -> Result<TimeZone, ToolFailure> {
    let wanted = text.trim().replace(' ', "_");
    if let Some(offset) = offset(&wanted) {
        return offset.map(TimeZone::fixed).ok_or_else(|| {
            let message = format!("{:?} is not an offset from UTC: offsets go from UTC-14 to UTC+14", cut(text, 60));
            ToolFailure::new(ErrorType::User, message).suggesting("Example: current_time(timezone=\"UTC+02:00\")")
        });
    }
    if let Ok(zone) = TimeZone::get(&wanted) {
        return Ok(zone);
    }
    let lower = wanted.to_lowercase();
    if let Some((_, zone)) = ALIASES.iter().find(|(alias, _)| *alias == lower)
        && let Ok(zone) = TimeZone::get(zone)
    {
        return Ok(zone);
    }
    let names: Vec<String> = jiff::tz::db().available().map(|name| name.as_str().to_owned()).collect();
    let city = names.iter().find(|name| city(name).to_lowercase() == lower && name.contains('/'));
    city.and_then(|name| TimeZone::get(name).ok()).ok_or_else(|| unknown(text, &lower, &names))
}

/// The last part of a name: `America/New_York` is New_York.
fn city(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// `UTC+2`, `GMT-05:30`, `+0200`, `Z`: the inner `None` if it is an offset that cannot be.
fn offset(text: &str) -> Option<Option<Offset>> {
    let upper = text.to_uppercase();
    let rest = upper.strip_prefix("UTC").or_else(|| upper.strip_prefix("GMT")).unwrap_or(&upper);
    if rest.is_empty() || upper == "Z" {
        return Some(Some(Offset::UTC));
    }
    let sign = match rest.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let digits: String = rest[1..].chars().filter(|c| *c != ':').collect();
    if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(None);
    }
    let (hours, minutes) = if digits.len() <= 2 { (digits.as_str(), "0") } else { digits.split_at(digits.len() - 2) };
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    if minutes > 59 || hours * 60 + minutes > 14 * 60 {
        return Some(None);
    }
    Some(Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok())
}

fn unknown(text: &str, lower: &str, names: &[String]) -> ToolFailure {
    let cities = names.iter().map(|name| city(name)).chain(ALIASES.iter().map(|(alias, _)| *alias));
    let near = nearest(lower, cities.chain(names.iter().map(String::as_str)), 3);
    let hint = match near.as_slice() {
        [] => "Give a time zone such as \"Europe/Berlin\", a large city, or an offset such as \"UTC+2\".".to_owned(),
        near => format!("Did you mean {}?", near.join(" or ").replace('_', " ")),
    };
    let message = format!("there is no time zone or city {:?}", cut(text, 60));
    ToolFailure::new(ErrorType::User, message).suggesting(hint)
}

#[cfg(test)]
#[path = "current_time_tests.rs"]
mod tests;
