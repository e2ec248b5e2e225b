//! Places as a description wants them: `Boston, MA` where it asks for `City, State (abbr)`.

use super::param::Param;

const STATES: &[(&str, &str)] = &[
    ("Alabama", "AL"),
    ("Alaska", "AK"),
    ("Arizona", "AZ"),
    ("Arkansas", "AR"),
    ("California", "CA"),
    ("Colorado", "CO"),
    ("Connecticut", "CT"),
    ("Delaware", "DE"),
    ("Florida", "FL"),
    ("Georgia", "GA"),
    ("Hawaii", "HI"),
    ("Idaho", "ID"),
    ("Illinois", "IL"),
    ("Indiana", "IN"),
    ("Iowa", "IA"),
    ("Kansas", "KS"),
    ("Kentucky", "KY"),
    ("Louisiana", "LA"),
    ("Maine", "ME"),
    ("Maryland", "MD"),
    ("Massachusetts", "MA"),
    ("Michigan", "MI"),
    ("Minnesota", "MN"),
    ("Mississippi", "MS"),
    ("Missouri", "MO"),
    ("Montana", "MT"),
    ("Nebraska", "NE"),
    ("Nevada", "NV"),
    ("New Hampshire", "NH"),
    ("New Jersey", "NJ"),
    ("New Mexico", "NM"),
    ("New York", "NY"),
    ("North Carolina", "NC"),
    ("North Dakota", "ND"),
    ("Ohio", "OH"),
    ("Oklahoma", "OK"),
    ("Oregon", "OR"),
    ("Pennsylvania", "PA"),
    ("Rhode Island", "RI"),
    ("South Carolina", "SC"),
    ("South Dakota", "SD"),
    ("Tennessee", "TN"),
    ("Texas", "TX"),
    ("Utah", "UT"),
    ("Vermont", "VT"),
    ("Virginia", "VA"),
    ("Washington", "WA"),
    ("West Virginia", "WV"),
    ("Wisconsin", "WI"),
    ("Wyoming", "WY"),
];

/// The largest and best known cities of the United States, by state.
const CITIES: &[(&str, &[&str])] = &[
    ("NY", &["New York", "New York City", "NYC", "Buffalo", "Rochester", "Brooklyn", "Manhattan"]),
    (
        "CA",
        &[
            "Los Angeles",
            "LA",
            "San Diego",
            "San Jose",
            "San Francisco",
            "SF",
            "Fresno",
            "Sacramento",
            "Long Beach",
            "Oakland",
            "Bakersfield",
            "Anaheim",
            "Berkeley",
            "Palo Alto",
            "Mountain View",
            "Santa Rosa",
            "Santa Clara",
            "Sunnyvale",
            "Napa",
            "Pasadena",
            "Irvine",
            "Riverside",
            "Livermore",
            "Santa Monica",
            "Cupertino",
            "Menlo Park",
            "Walnut Creek",
            "Fremont",
        ],
    ),
    ("IL", &["Chicago", "Springfield"]),
    ("TX", &["Houston", "San Antonio", "Dallas", "Austin", "Fort Worth", "El Paso"]),
    ("AZ", &["Phoenix", "Tucson", "Mesa", "Scottsdale"]),
    ("PA", &["Philadelphia", "Pittsburgh"]),
    ("FL", &["Jacksonville", "Miami", "Tampa", "Orlando"]),
    ("OH", &["Columbus", "Cleveland", "Cincinnati"]),
    ("NC", &["Charlotte", "Raleigh"]),
    ("IN", &["Indianapolis"]),
    ("WA", &["Seattle", "Spokane", "Tacoma"]),
    ("CO", &["Denver", "Boulder", "Colorado Springs"]),
    ("DC", &["Washington", "Washington D.C.", "Washington DC"]),
    ("MA", &["Boston", "Cambridge"]),
    ("TN", &["Nashville", "Memphis"]),
    ("MI", &["Detroit", "Ann Arbor"]),
    ("OR", &["Portland", "Eugene"]),
    ("NV", &["Las Vegas", "Reno"]),
    ("KY", &["Louisville"]),
    ("MD", &["Baltimore"]),
    ("WI", &["Milwaukee", "Madison"]),
    ("NM", &["Albuquerque", "Santa Fe"]),
    ("MO", &["Kansas City", "St. Louis"]),
    ("GA", &["Atlanta", "Savannah"]),
    ("NE", &["Omaha"]),
    ("MN", &["Minneapolis", "Saint Paul"]),
    ("LA", &["New Orleans"]),
    ("HI", &["Honolulu"]),
    ("UT", &["Salt Lake City"]),
    ("AK", &["Anchorage"]),
    ("VA", &["Richmond"]),
    ("ID", &["Boise"]),
    ("OK", &["Oklahoma City", "Tulsa"]),
];

/// Large cities elsewhere.
const WORLD: &[(&str, &str)] = &[
    ("London", "UK"),
    ("Paris", "France"),
    ("Berlin", "Germany"),
    ("Munich", "Germany"),
    ("Hamburg", "Germany"),
    ("Rome", "Italy"),
    ("Milan", "Italy"),
    ("Madrid", "Spain"),
    ("Barcelona", "Spain"),
    ("Lisbon", "Portugal"),
    ("Vienna", "Austria"),
    ("Zurich", "Switzerland"),
    ("Amsterdam", "Netherlands"),
    ("Brussels", "Belgium"),
    ("Dublin", "Ireland"),
    ("Stockholm", "Sweden"),
    ("Oslo", "Norway"),
    ("Copenhagen", "Denmark"),
    ("Helsinki", "Finland"),
    ("Moscow", "Russia"),
    ("Istanbul", "Turkey"),
    ("Athens", "Greece"),
    ("Prague", "Czech Republic"),
    ("Warsaw", "Poland"),
    ("Budapest", "Hungary"),
    ("Tokyo", "Japan"),
    ("Osaka", "Japan"),
    ("Kyoto", "Japan"),
    ("Beijing", "China"),
    ("Shanghai", "China"),
    ("Shenzhen", "China"),
    ("Guangzhou", "China"),
    ("Hong Kong", "China"),
    ("Taipei", "Taiwan"),
    ("Seoul", "South Korea"),
    ("Bangkok", "Thailand"),
    ("Hanoi", "Vietnam"),
    ("Jakarta", "Indonesia"),
    ("Kuala Lumpur", "Malaysia"),
    ("Manila", "Philippines"),
    ("Mumbai", "India"),
    ("Delhi", "India"),
    ("New Delhi", "India"),
    ("Bangalore", "India"),
    ("Sydney", "Australia"),
    ("Melbourne", "Australia"),
    ("Toronto", "Canada"),
    ("Vancouver", "Canada"),
    ("Montreal", "Canada"),
    ("Mexico City", "Mexico"),
    ("Buenos Aires", "Argentina"),
    ("Cairo", "Egypt"),
    ("Lagos", "Nigeria"),
    ("Nairobi", "Kenya"),
    ("Cape Town", "South Africa"),
    ("Dubai", "UAE"),
    ("Tel Aviv", "Israel"),
];

/// The place in the form that the parameter's description asks for.
pub(super) fn as_wanted(place: &str, param: &Param<'_>) -> String {
    let about = &param.about;
    // `(e.g., street address, city, state)` says what may be named, not in which form.
    let listed = about.contains("e.g., city") || about.contains("address, city");
    let with_state = about.contains("city, state") && !listed
        || about.contains("city and state")
        || about.contains("(abbr)")
        || about.contains(", ca")
        || about.contains(", ny");
    if !with_state {
        return place.to_owned();
    }
    if let Some((city, region)) = place.split_once(',') {
        let state = STATES.iter().find(|(name, _)| name.eq_ignore_ascii_case(region.trim()));
        return state.map_or_else(|| place.to_owned(), |(_, short)| format!("{}, {short}", city.trim()));
    }
    let is = |name: &str| name.eq_ignore_ascii_case(place);
    if let Some((state, cities)) = CITIES.iter().find(|(_, cities)| cities.iter().any(|name| is(name))) {
        let full = match place.to_ascii_uppercase().as_str() {
            "NYC" | "NEW YORK CITY" => "New York",
            "LA" => "Los Angeles",
            "SF" => "San Francisco",
            _ => cities.iter().find(|name| is(name)).copied().unwrap_or(place),
        };
        return format!("{full}, {state}");
    }
    match WORLD.iter().find(|(city, _)| is(city)) {
        Some((city, country)) if about.contains("country") => format!("{city}, {country}"),
        _ => place.to_owned(),
    }
}

/// Whether it is a large city's name, in any letters.
pub(super) fn is_city(name: &str) -> bool {
    let is = |city: &str| city.eq_ignore_ascii_case(name);
    name.len() > 3
        && (CITIES.iter().any(|(_, cities)| cities.iter().any(|city| is(city)))
            || WORLD.iter().any(|(city, _)| is(city)))
}
